import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0151 } from './vllm0151.ts'

const short = { capturedSecondsPerLayer: 0.1e-3, eagerSecondsPerLayer: 0.1e-3 }
const slow = { capturedSecondsPerLayer: 0.9e-3, eagerSecondsPerLayer: 0.9e-3 }

/** A C++ executor: hardly any host time between steps, norms and quantisation in one kernel. */
export const trtllm: EngineOverheads = {
  ...vllm0151,
  name: 'trtllm-1.0.0',
  engine: 'trtllm',
  version: '1.0.0',
  source: 'fitted on concurrency sweeps of Llama 3.1 70B, Qwen3-235B and gpt-oss-120b on H100, H200 and B200',
  step: {
    ...vllm0151.step,
    perStepSeconds: 0,
    quantisationPass: 0,
    launchFloor: { dense: short, experts: slow, recurrent: slow },
  },
  frontEnd: { requestSeconds: 8e-3, secondsPerPromptToken: 5e-6, tensorParallelFirstTokenSeconds: 0 },
}

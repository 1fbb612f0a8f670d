import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0151 } from './vllm0151.ts'

const short = { capturedSecondsPerLayer: 0.05e-3, eagerSecondsPerLayer: 0.05e-3 }

/** Overlapped scheduling hides most of the host. */
export const sglang051: EngineOverheads = {
  ...vllm0151,
  name: 'sglang-0.5.1',
  engine: 'sglang',
  version: '0.5.1',
  source: 'fitted on concurrency sweeps of Qwen3-32B on H100',
  step: {
    ...vllm0151.step,
    perStepSeconds: 0.5e-3,
    launchFloor: { dense: short, experts: short, recurrent: short },
  },
  frontEnd: { requestSeconds: 10e-3, secondsPerPromptToken: 5e-6, tensorParallelFirstTokenSeconds: 0 },
}

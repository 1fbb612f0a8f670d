import type { EngineOverheads } from './engineOverheads.ts'
import { trtllm } from './trtllm.ts'

const fused = { capturedSecondsPerLayer: 0.4e-3, eagerSecondsPerLayer: 0.4e-3 }

/** Experts in few fused kernels: prompts wait less for the host. */
export const trtllm12: EngineOverheads = {
  ...trtllm,
  name: 'trtllm-1.2.0rc0',
  version: '1.2.0rc0',
  source: 'fitted on concurrency sweeps of gpt-oss-120b on B200',
  step: { ...trtllm.step, launchFloor: { ...trtllm.step.launchFloor, experts: fused, recurrent: fused } },
}

import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0170 } from './vllm0170.ts'

/** Fitted on single iterations, so that only the step's part is its own. */
export const vllm0201: EngineOverheads = {
  ...vllm0170,
  name: 'vllm-0.20.1',
  version: '0.20.1',
  source: 'step: fitted on iteration times of Qwen3-32B on B300; front end as 0.17.0',
  step: {
    ...vllm0170.step,
    perStepSeconds: 0,
    allReduceFactor: 1,
    perSequenceSeconds: 0,
    prefillStepSeconds: 2e-3,
    mixedStepSeconds: 0,
  },
}

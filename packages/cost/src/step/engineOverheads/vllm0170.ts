import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0151 } from './vllm0151.ts'

/** Versions 0.17 to 0.19 on Blackwell. */
export const vllm0170: EngineOverheads = {
  ...vllm0151,
  name: 'vllm-0.17.0',
  version: '0.17.0',
  source: 'fitted on concurrency sweeps of MiniMax M2.5 on B200 and B300, versions 0.17 to 0.19',
  step: {
    ...vllm0151.step,
    perStepSeconds: 0.15e-3,
    perSequenceSeconds: 4e-6,
    expertRouting: { perLayerSeconds: 10e-6, mixedPerLayerSeconds: 80e-6 },
    launchFloor: {
      ...vllm0151.step.launchFloor,
      experts: { capturedSecondsPerLayer: 0.25e-3, eagerSecondsPerLayer: 1.4e-3 },
    },
  },
  frontEnd: { ...vllm0151.frontEnd, requestSeconds: 2e-3, secondsPerPromptToken: 12e-6 },
}

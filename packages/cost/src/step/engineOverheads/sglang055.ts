import type { EngineOverheads } from './engineOverheads.ts'
import { sglang051 } from './sglang051.ts'

const eager = { capturedSecondsPerLayer: 1.8e-3, eagerSecondsPerLayer: 1.8e-3 }

/** Prefills are launched kernel by kernel: with experts or recurrent layers a short prompt waits for the host. */
export const sglang055: EngineOverheads = {
  ...sglang051,
  name: 'sglang-0.5.5',
  version: '0.5.5',
  source:
    'fitted on concurrency sweeps of DeepSeek R1, Qwen3.5 and GLM-5 on H200, B200 and B300, versions 0.5.5 to 0.5.10',
  step: {
    ...sglang051.step,
    perStepSeconds: 0.4e-3,
    quantisationPass: 0.8,
    expertRouting: { perLayerSeconds: 4e-6, mixedPerLayerSeconds: 0 },
    launchFloor: { ...sglang051.step.launchFloor, experts: eager, recurrent: eager },
  },
  frontEnd: { requestSeconds: 45e-3, secondsPerPromptToken: 10e-6, tensorParallelFirstTokenSeconds: 0 },
}

import type { EngineOverheads } from './engineOverheads.ts'

/** Fitted on H100 serving runs of Llama 2, CodeLlama, Llama 3.1, Qwen3, Mixtral and Llama 4 Scout. */
export const vllm0151: EngineOverheads = {
  name: 'vllm-0.15.1',
  engine: 'vllm',
  version: '0.15.1',
  source: 'fitted on serving runs of seven models on H100, asynchronous scheduling',
  step: {
    perStepSeconds: 0.25e-3,
    perSequenceSeconds: 0,
    prefillStepSeconds: 0,
    mixedStepSeconds: 0,
    samplingSecondsPer100kEntries: 15e-6,
    launchFloor: {
      dense: { capturedSecondsPerLayer: 0.05e-3, eagerSecondsPerLayer: 0.15e-3 },
      experts: { capturedSecondsPerLayer: 0.2e-3, eagerSecondsPerLayer: 1.6e-3 },
      recurrent: { capturedSecondsPerLayer: 0.41e-3, eagerSecondsPerLayer: 1e-3 },
    },
    expertRouting: { perLayerSeconds: 0, mixedPerLayerSeconds: 0 },
    largestGraphTokens: 512,
    quantisationPass: 1,
    allReduceFactor: 1.25,
    fewExpertsFactor: 0.85,
  },
  frontEnd: { requestSeconds: 1e-3, secondsPerPromptToken: 10e-6, tensorParallelFirstTokenSeconds: 2.5e-3 },
  stepsInFlight: 2,
}

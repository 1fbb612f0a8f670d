import type { EngineOverheads } from './engineOverheads.ts'

const none = { capturedSecondsPerLayer: 0, eagerSecondsPerLayer: 0 }

/** An engine that adds nothing to its kernels: what a perfect host would reach. */
export const ideal: EngineOverheads = {
  name: 'ideal',
  engine: 'ideal',
  version: '0',
  source: 'by definition',
  step: {
    perStepSeconds: 0,
    perSequenceSeconds: 0,
    prefillStepSeconds: 0,
    mixedStepSeconds: 0,
    samplingSecondsPer100kEntries: 0,
    launchFloor: { dense: none, experts: none, recurrent: none },
    expertRouting: { perLayerSeconds: 0, mixedPerLayerSeconds: 0 },
    largestGraphTokens: 512,
    quantisationPass: 1,
    allReduceFactor: 1,
    fewExpertsFactor: 1,
  },
  frontEnd: { requestSeconds: 0, secondsPerPromptToken: 0, tensorParallelFirstTokenSeconds: 0 },
  stepsInFlight: 1,
}

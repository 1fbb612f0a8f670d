/** Least time a step with a prefill needs for the host to launch its kernels, per layer. */
export interface LaunchFloor {
  /** Where the step's tokens fit a captured graph size (attention and experts are still launched one by one). */
  capturedSecondsPerLayer: number
  /** Above that. */
  eagerSecondsPerLayer: number
}

/** What an engine adds to the kernels of a step. Seconds. */
export interface StepOverheads {
  perStepSeconds: number
  perSequenceSeconds: number
  /** Added to a step that computes prompt tokens. */
  prefillStepSeconds: number
  /** Added on top when such a step also decodes. */
  mixedStepSeconds: number
  /** Top-p or top-k sampling of one sequence, per 100,000 entries of vocabulary. */
  samplingSecondsPer100kEntries: number
  launchFloor: { dense: LaunchFloor; experts: LaunchFloor; recurrent: LaunchFloor }
  /** Choosing and sorting for the experts of one layer, which their measured kernels leave out: in any step, and more in a mixed one. */
  expertRouting: { perLayerSeconds: number; mixedPerLayerSeconds: number }
  /** Largest captured graph: 512 tokens, and at most twice the sequences the engine admits. */
  largestGraphTokens: number
  /** Share of the quantisation of activations that is a pass of its own: 1 as kernels are measured, 0 where it is fused. */
  quantisationPass: number
  /** All-reduces in a server last so many times as long as measured alone: ranks do not start together. */
  allReduceFactor: number
  /** What the engine's own tuning makes of the measured 16-bit kernels for few experts. */
  fewExpertsFactor: number
}

/** What happens before the engine sees a request and after it sends a token. Seconds. */
export interface FrontEndOverheads {
  /** HTTP and event handling of one request. */
  requestSeconds: number
  /** Tokenising and checking, for each prompt token; serial over all requests of one API server. */
  secondsPerPromptToken: number
  /** Added to the first token with tensor parallelism. */
  tensorParallelFirstTokenSeconds: number
}

/** One engine in one version. */
export interface EngineOverheads {
  /** Registry name: engine, dash, version. */
  name: string
  engine: string
  version: string
  /** Where the figures come from. */
  source: string
  step: StepOverheads
  frontEnd: FrontEndOverheads
  /** What a server that has just started does once, the first time it computes so many prompt tokens in a step. */
  firstUse?: { promptTokens: number; seconds: number }
  /** Steps composed ahead of the one that runs: 2 with asynchronous scheduling, else 1. */
  stepsInFlight: number
}

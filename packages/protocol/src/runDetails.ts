import { Schema } from 'effect'
import { count, Distribution, quantity, share, text } from './quantities.ts'

const Window = Schema.Struct({
  fromSeconds: quantity('virtual time, seconds: the end of the warm-up'),
  untilSeconds: quantity('virtual time, seconds: where the cool-down begins, or the run is'),
  arrived: count('requests that arrived within'),
}).annotate({ identifier: 'SummaryWindow', description: 'The part of a run that its figures are about' })

const Met = Schema.Struct({
  all: Schema.optionalKey(share('within every limit at once')),
  ttft: Schema.optionalKey(share('within the limit on TTFT')),
  tpot: Schema.optionalKey(share('within the limit on TPOT')),
  e2e: Schema.optionalKey(share('within the limit on E2E')),
  itl: Schema.optionalKey(share('gaps of all classes within the limit on ITL')),
}).annotate({
  identifier: 'ObjectivesMet',
  description: 'Shares of the completed requests of a class; absent without such a limit',
})

const ClassDetails = Schema.Struct({
  serviceClass: Schema.String,
  arrived: count('requests'),
  completed: count('requests'),
  goodput: quantity('requests per second within every limit'),
  met: Met,
  ttft: Distribution,
  tpot: Distribution,
  e2e: Distribution,
}).annotate({ identifier: 'ClassDetails', description: 'What one class of requests got' })

const Utilisation = Schema.Struct({
  busyShare: share('time in steps over the time of all replicas'),
  modelFlops: Schema.optionalKey(share('MFU: FLOPs of the model over what the accelerators could do')),
  memoryBandwidth: Schema.optionalKey(share('MBU: bytes read over what the memories could deliver')),
  modelFlopsInSteps: Schema.optionalKey(share('MFU over the time in steps alone')),
  memoryBandwidthInSteps: Schema.optionalKey(share('MBU over the time in steps alone')),
  meanDecodeSequences: quantity('decoding sequences, mean over the time in steps'),
  meanContextShare: quantity('context of decoding sequences over what the KV cache holds, mean over the time in steps'),
}).annotate({ identifier: 'Utilisation' })

const PrefixHits = Schema.Struct({
  queriedTokens: count('prompt tokens looked up'),
  hitTokens: count('prompt tokens found'),
  queriedBlocks: count('whole blocks looked up'),
  hitBlocks: count('whole blocks found'),
  tokenRatioOfSums: Schema.optionalKey(share('hits over look-ups, summed first')),
  blockRatioOfSums: Schema.optionalKey(share('hits over look-ups, summed first')),
  tokenMeanOfRatios: Schema.optionalKey(share('ratio of each admission, averaged')),
  blockMeanOfRatios: Schema.optionalKey(share('ratio of each admission, averaged')),
}).annotate({ identifier: 'PrefixHits' })

const Money = Schema.Struct({
  dollarsPerHour: quantity('US dollars an hour, mean over the window of the replicas that are there'),
  dollars: quantity('US dollars for the window'),
  dollarsPerMillionOutputTokens: Schema.optionalKey(quantity('US dollars')),
  dollarsPerMillionTokens: Schema.optionalKey(quantity('US dollars; prompt tokens of completed requests and output')),
}).annotate({ identifier: 'MoneyDetails' })

const Energy = Schema.Struct({
  ratedJoules: quantity('all accelerators at rated power while their replicas are there, joules'),
  joulesInSteps: quantity('at rated power during steps alone, joules'),
  joulesInStepsPerOutputToken: Schema.optionalKey(quantity('joules')),
}).annotate({ identifier: 'EnergyDetails' })

const PerAccelerator = Schema.Struct({
  accelerators: quantity('accelerators'),
  requestsPerSecond: quantity('per second and accelerator'),
  inputTokensPerSecond: quantity('per second and accelerator'),
  outputTokensPerSecond: quantity('per second and accelerator'),
}).annotate({ identifier: 'PerAccelerator' })

const Fairness = Schema.Struct({
  tenants: count('tenants'),
  servedTokens: Schema.optionalKey(quantity("Jain's index over the tokens served to each tenant")),
  servedShare: Schema.optionalKey(quantity("Jain's index over the share of what each asked for that was served")),
}).annotate({ identifier: 'Fairness' })

const Saturation = Schema.Struct({
  state: Schema.Literals(['stable', 'backlogged', 'overloaded']),
  reason: text('a sentence with the figures that decided'),
}).annotate({ identifier: 'Saturation' })

/** Figures beside those of the summary, of the same window. */
export const RunDetails = Schema.Struct({
  window: Window,
  prefill: Distribution,
  transfer: Distribution,
  decode: Distribution,
  normalisedLatency: Distribution,
  ttftFromSend: Distribution,
  classes: Schema.Array(ClassDetails),
  perAccelerator: Schema.optionalKey(PerAccelerator),
  utilisation: Schema.optionalKey(Utilisation),
  prefix: PrefixHits,
  money: Schema.optionalKey(Money),
  energy: Schema.optionalKey(Energy),
  fairness: Fairness,
  saturation: Saturation,
}).annotate({
  identifier: 'RunDetails',
  description:
    'Figures beside those of the summary, of the same window: phases, classes, utilisation, prefix cache, money, energy, fairness, saturation',
})
export type RunDetails = typeof RunDetails.Type

import { Schema } from 'effect'
import { count, quantity, ReplicaRole, Speed, TrafficMix, text } from './quantities.ts'

/** One pool of equal replicas. */
export const PoolFacts = Schema.Struct({
  name: text('name of the pool, unique in the scenario'),
  role: ReplicaRole,
  replicas: count('replicas at the start'),
  engine: text('registry name of the engine'),
  scheduler: text('registry name of the scheduler'),
  accelerator: text('name of the accelerator'),
  acceleratorsPerReplica: count('accelerators that one replica uses'),
  layout: text('for a reader, such as TP4'),
}).annotate({ identifier: 'PoolFacts' })
export type PoolFacts = typeof PoolFacts.Type

/** What one service class is promised. A limit that is absent is not promised. */
export const ObjectiveFacts = Schema.Struct({
  serviceClass: text('name of the service class'),
  ttft: Schema.optionalKey(quantity('largest time to first token, seconds')),
  itl: Schema.optionalKey(quantity('largest gap between tokens at the 99th percentile, seconds')),
  tpot: Schema.optionalKey(quantity('largest time per output token after the first, seconds')),
  e2e: Schema.optionalKey(quantity('largest time from arrival to last token, seconds')),
}).annotate({ identifier: 'ObjectiveFacts' })
export type ObjectiveFacts = typeof ObjectiveFacts.Type

/** What does not change while a run lives, and the choices that its controls offer. */
export const ScenarioFacts = Schema.Struct({
  name: text('name of the scenario'),
  description: Schema.optionalKey(text('a sentence about the scenario')),
  seed: Schema.Int,
  model: text('name of the model'),
  pools: Schema.Array(PoolFacts),
  objectives: Schema.Array(ObjectiveFacts),
  backend: text('registry name of the step cost'),
  durationSeconds: Schema.optionalKey(quantity('virtual seconds after which the run ends; absent when it does not')),
  dollarsPerAcceleratorHour: Schema.optionalKey(quantity('mean price over the fleet at the start, US dollars')),
  arrivalRate: Schema.optionalKey(quantity('requests per second at the start; absent when the traffic has no rate')),
  rateCounts: Schema.optionalKey(
    Schema.Literals(['requests', 'sessions']).annotate({
      description:
        'what the arrival rate counts: requests, or sessions of which each sends several requests (then more arrive than the rate says); absent when the traffic has no rate',
    }),
  ),
  maxArrivalRate: Schema.optionalKey(quantity('sensible upper end of a rate control, requests per second')),
  rateSteerable: Schema.Boolean.annotate({ description: 'whether the command "rate" works' }),
  mix: Schema.optionalKey(TrafficMix),
  router: text('router at the start'),
  routers: Schema.Array(Schema.String).annotate({ description: 'routers to choose from' }),
  schedulers: Schema.Array(Schema.String).annotate({ description: 'schedulers to choose from' }),
  speeds: Schema.Array(Speed).annotate({ description: 'speeds to offer' }),
  sampledOneIn: count('one request in so many is sent as a sample, at high speed fewer'),
  warnings: Schema.Array(Schema.String).annotate({ description: 'sentences about extrapolation and the like' }),
}).annotate({ identifier: 'ScenarioFacts' })
export type ScenarioFacts = typeof ScenarioFacts.Type

import { Schema } from 'effect'

/** A finite number of a stated unit; the description ends up in the protocol document. */
export const quantity = (description: string) => Schema.Finite.annotate({ description })

/** A whole number >= 0. */
export const count = (description: string) => Schema.Natural.annotate({ description })

export const text = (description: string) => Schema.String.annotate({ description })

/** A share between 0 and 1. */
export const share = (description: string) => Schema.Finite.annotate({ description: `${description} (0 to 1)` })

/** Percentiles of durations in seconds over one window. The whole object is absent when the window holds none. */
export const WindowPercentiles = Schema.Struct({
  p50: quantity('median, seconds'),
  p90: quantity('90th percentile, seconds'),
  p99: quantity('99th percentile, seconds'),
}).annotate({ identifier: 'WindowPercentiles', description: 'Percentiles of one window, in seconds' })
export type WindowPercentiles = typeof WindowPercentiles.Type

/** A distribution over a whole run. Everything but `count` is absent when `count` is 0. */
export const Distribution = Schema.Struct({
  mean: Schema.optionalKey(quantity('mean, seconds')),
  p50: Schema.optionalKey(quantity('median, seconds')),
  p90: Schema.optionalKey(quantity('seconds')),
  p95: Schema.optionalKey(quantity('seconds')),
  p99: Schema.optionalKey(quantity('seconds')),
  max: Schema.optionalKey(quantity('largest value, seconds')),
  count: count('values'),
}).annotate({ identifier: 'Distribution', description: 'A distribution over a whole run, in seconds' })
export type Distribution = typeof Distribution.Type

export const RequestTotals = Schema.Struct({
  arrived: count('requests that reached the front end'),
  completed: count('requests that got all their tokens'),
  rejected: count('refused before admission'),
  failed: count('failed after admission'),
  cancelled: count('left by the client'),
  timedOut: count('given up after their deadline'),
  unfinished: count('still inside: arrived less the sum of the endings'),
}).annotate({ identifier: 'RequestTotals', description: 'Requests since the start of the run' })
export type RequestTotals = typeof RequestTotals.Type

/** One stream of traffic. */
export const StreamShare = Schema.Struct({
  name: text('name of the stream of traffic, unique in the scenario'),
  share: Schema.optionalKey(
    share('of all arrivals; absent where the traffic has no rate, so that shares cannot be set'),
  ),
}).annotate({ identifier: 'StreamShare' })
export type StreamShare = typeof StreamShare.Type

/** What the traffic is made of. */
export const TrafficMix = Schema.Struct({
  streams: Schema.Array(StreamShare),
  promptScale: quantity('factor on the tokens of prompts, against what the scenario says'),
  outputScale: quantity('factor on the tokens generated, against what the scenario says'),
}).annotate({
  identifier: 'TrafficMix',
  description: 'What the traffic is made of, at the start or now; absent where the command "mix" does not work',
})
export type TrafficMix = typeof TrafficMix.Type

export const ReplicaRole = Schema.Literals(['both', 'prefill', 'generate'])
export const ReplicaState = Schema.Literals(['up', 'starting', 'draining', 'down'])

/** Beyond it, and below its inverse, times leave what a clock can tell. */
const MOST_SPEED = 1_000_000

/** Virtual seconds per wall second, or as fast as the machine can. */
export const Speed = Schema.Union([
  Schema.Finite.check(Schema.isBetween({ minimum: 1 / MOST_SPEED, maximum: MOST_SPEED })).annotate({
    description: 'virtual seconds per wall second',
  }),
  Schema.Literal('max'),
]).annotate({ identifier: 'Speed' })
export type Speed = typeof Speed.Type

export const RunState = Schema.Literals(['ready', 'running', 'paused', 'ended']).annotate({ identifier: 'RunState' })
export type RunState = typeof RunState.Type

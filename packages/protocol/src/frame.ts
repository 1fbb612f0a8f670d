import { Schema } from 'effect'
import {
  count,
  quantity,
  ReplicaRole,
  ReplicaState,
  RequestTotals,
  RunState,
  Speed,
  share,
  TrafficMix,
  text,
  WindowPercentiles,
} from './quantities.ts'

export const ReplicaFrame = Schema.Struct({
  replica: count('number of the replica, never reused'),
  name: text('pool and number within it, such as generate-7'),
  pool: Schema.String,
  role: ReplicaRole,
  state: ReplicaState,
  running: count('requests decoding or prefilling'),
  waiting: count('requests queued here'),
  transferring: count('KV caches on their way here or waiting for room'),
  kvUse: share('KV blocks in use'),
  contextTokens: count('sum of the context of the decoding sequences, tokens'),
}).annotate({ identifier: 'ReplicaFrame', description: 'One replica at the time of the frame' })
export type ReplicaFrame = typeof ReplicaFrame.Type

export const LinkFrame = Schema.Struct({
  name: text('such as prefill to generate'),
  from: text('pool at the sending end'),
  to: text('pool at the receiving end'),
  bytesPerSecond: quantity('bytes that arrived per second over the window'),
  utilisation: Schema.optionalKey(share('of the bandwidth of the link; absent when that is not known')),
  active: count('transfers under way'),
}).annotate({ identifier: 'LinkFrame', description: 'KV transfer between two pools' })
export type LinkFrame = typeof LinkFrame.Type

/** Where the step of the busiest generate replica goes. The parts sum to `seconds`. */
export const StepFrame = Schema.Struct({
  replica: count('number of the replica'),
  seconds: quantity('length of the step'),
  weights: quantity('reading weights, seconds'),
  kv: quantity('reading and writing the KV cache, seconds'),
  compute: quantity('arithmetic, seconds'),
  collectives: quantity('communication between accelerators, seconds'),
  host: quantity('host and launch overhead, seconds'),
}).annotate({ identifier: 'StepFrame' })
export type StepFrame = typeof StepFrame.Type

export const ObjectiveFrame = Schema.Struct({
  serviceClass: Schema.String,
  metric: Schema.Literals(['ttft', 'itl', 'tpot', 'e2e', 'all']),
  limit: Schema.optionalKey(quantity('the promise, seconds; absent for "all"')),
  met: Schema.optionalKey(share('of the requests completed in the window that met it; absent when none completed')),
}).annotate({ identifier: 'ObjectiveFrame' })
export type ObjectiveFrame = typeof ObjectiveFrame.Type

/** One service class over the window; sent when a scenario has more than one. */
export const ClassFrame = Schema.Struct({
  serviceClass: Schema.String,
  requestsPerSecond: quantity('completed requests per second'),
  goodput: quantity('requests per second that met their objectives'),
  ttft: Schema.optionalKey(WindowPercentiles),
  e2e: Schema.optionalKey(WindowPercentiles),
}).annotate({ identifier: 'ClassFrame' })
export type ClassFrame = typeof ClassFrame.Type

/** One update of the live view, ten times a second. Rates and percentiles cover the last `window` virtual seconds. */
export const Frame = Schema.Struct({
  type: Schema.tag('frame'),
  run: Schema.String,
  seq: count('number of the frame, rising by one; a gap means that frames were merged for a slow reader'),
  merged: Schema.optionalKey(
    count('frames left out just before this one because this connection reads slowly; absent when none were'),
  ),
  time: quantity('virtual time, seconds'),
  wall: quantity('wall seconds for which the run has been playing'),
  state: RunState,
  speed: Speed,
  achievedSpeed: quantity('virtual seconds per wall second reached lately'),
  window: quantity('virtual seconds that rates and percentiles cover'),
  requests: RequestTotals,
  arrivalRate: quantity('requests arriving per second'),
  requestsPerSecond: quantity('requests completed per second'),
  inputTokensPerSecond: quantity('prompt tokens of the requests that got their first token, per second'),
  outputTokensPerSecond: quantity('tokens generated per second'),
  goodput: quantity('requests per second that met their objectives'),
  ttft: Schema.optionalKey(WindowPercentiles),
  itl: Schema.optionalKey(WindowPercentiles),
  tpot: Schema.optionalKey(WindowPercentiles),
  e2e: Schema.optionalKey(WindowPercentiles),
  queue: Schema.optionalKey(WindowPercentiles),
  waiting: count(
    'requests that wait in an engine for prefill; those that a front end still tokenises are not among them',
  ),
  transferring: count('requests waiting for, or in, a KV transfer'),
  running: count('requests decoding or prefilling'),
  batch: quantity('mean running sequences per replica that generates'),
  kvUse: share('KV blocks in use over the fleet'),
  prefixHitRate: Schema.optionalKey(share('prompt tokens found in a prefix cache over the window')),
  preemptionsPerSecond: quantity('preemptions per second'),
  costPerMillionTokens: Schema.optionalKey(quantity('US dollars per million output tokens')),
  outputTokensPerSecondPerAccelerator: Schema.optionalKey(quantity('tokens generated per second and accelerator')),
  rate: Schema.optionalKey(quantity('arrival rate asked for, per second, of what `rateCounts` of the scenario says')),
  mix: Schema.optionalKey(TrafficMix),
  router: Schema.String,
  scheduler: Schema.String,
  objectives: Schema.Array(ObjectiveFrame),
  classes: Schema.Array(ClassFrame),
  replicas: Schema.Array(ReplicaFrame),
  links: Schema.Array(LinkFrame),
  step: Schema.optionalKey(StepFrame),
  bottleneck: Schema.optionalKey(text('a sentence: what bounds this fleet now')),
}).annotate({ identifier: 'Frame', description: 'One update of the live view, ten times a second' })
export type Frame = typeof Frame.Type

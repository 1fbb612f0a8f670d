import { Schema } from 'effect'
import { quantity, text } from './quantities.ts'

export const EVENT_KINDS = [
  'started',
  'paused',
  'resumed',
  'speed',
  'rate',
  'mix',
  'router',
  'scheduler',
  'replicaAdded',
  'replicaRemoved',
  'replicaKilled',
  'reset',
  'replayLeft',
  'objectiveBreached',
  'objectiveRecovered',
  'preemptionStorm',
  'saturated',
  'recovered',
] as const

/** Something worth a mark on the charts: what a person changed, or what the fleet ran into. */
export const RunEvent = Schema.Struct({
  type: Schema.tag('event'),
  run: Schema.String,
  time: quantity('virtual time, seconds'),
  kind: Schema.Literals(EVENT_KINDS),
  cause: Schema.Literals(['viewer', 'simulation', 'log']).annotate({
    description: 'who made it happen: a viewer, the simulation, or the command log of a kept run that is opened again',
  }),
  text: text('a short sentence for people, such as "rate 24 to 38 requests/s"'),
}).annotate({ identifier: 'RunEvent', description: 'A change or an incident, to be marked in time' })
export type RunEvent = typeof RunEvent.Type

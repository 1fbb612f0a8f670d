import { Schema } from 'effect'
import { count, Speed, text } from './quantities.ts'

const addressed = {
  id: Schema.String.check(Schema.isMaxLength(64)).annotate({
    description: 'chosen by the client, given back in the ack or the error',
  }),
  run: Schema.optionalKey(text('run it is for; the run this viewer watches when absent')),
}

const command = <const Tag extends string, const Fields extends Schema.Struct.Fields>(
  tag: Tag,
  fields: Fields,
  description: string,
) =>
  Schema.Struct({ type: Schema.tag(tag), ...addressed, ...fields }).annotate({
    identifier: `${tag}Command`,
    description,
  })

const positive = Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0), Schema.isLessThanOrEqualTo(1e6))
const weight = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e9 }))
const lengthScale = Schema.Finite.check(Schema.isBetween({ minimum: 0.01, maximum: 100 }))
const shortName = Schema.String.check(Schema.isMaxLength(128))

/** What a viewer may ask for. Each is answered by one `ack` or one `error` with the same id. */
export const COMMANDS = {
  watch: command('watch', {}, 'watch another run: answered by a hello for it, then frames'),
  start: command('start', {}, 'start, or resume after a pause'),
  pause: command('pause', {}, 'hold virtual time'),
  step: command(
    'step',
    { events: Schema.optionalKey(Schema.Natural.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))) },
    'while paused: handle so many events (1 when absent)',
  ),
  speed: command('speed', { speed: Speed }, 'virtual seconds per wall second, or max'),
  rate: command(
    'rate',
    { requestsPerSecond: positive },
    'new mean arrival rate; it counts what `rateCounts` of the scenario says',
  ),
  mix: command(
    'mix',
    {
      weights: Schema.optionalKey(
        Schema.Record(shortName, weight).annotate({
          description:
            'weight of every stream of traffic by name (those of the `mix` in the scenario): of all arrivals it gets weight / sum of the weights',
        }),
      ),
      promptScale: Schema.optionalKey(
        lengthScale.annotate({ description: 'factor on the tokens of prompts, against what the scenario says' }),
      ),
      outputScale: Schema.optionalKey(lengthScale.annotate({ description: 'factor on the tokens generated' })),
    },
    'another mix of traffic from now on, at the same arrival rate; what is absent stays',
  ),
  router: command('router', { name: shortName }, 'another router from now on'),
  scheduler: command('scheduler', { name: shortName }, 'another scheduler from now on'),
  addReplica: command('addReplica', { pool: shortName }, 'one more replica in a pool'),
  removeReplica: command(
    'removeReplica',
    { replica: count('number of the replica') },
    'drain a replica, then take it away',
  ),
  killReplica: command('killReplica', { replica: count('number of the replica') }, 'lose a replica at once: a fault'),
  reset: command(
    'reset',
    { seed: Schema.optionalKey(Schema.Natural) },
    'begin again at time zero with this seed (the same one when absent)',
  ),
} as const

export const ClientMessage = Schema.Union([
  COMMANDS.watch,
  COMMANDS.start,
  COMMANDS.pause,
  COMMANDS.step,
  COMMANDS.speed,
  COMMANDS.rate,
  COMMANDS.mix,
  COMMANDS.router,
  COMMANDS.scheduler,
  COMMANDS.addReplica,
  COMMANDS.removeReplica,
  COMMANDS.killReplica,
  COMMANDS.reset,
]).annotate({ identifier: 'ClientMessage' })
export type ClientMessage = typeof ClientMessage.Type

type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never
/** A message as a caller writes it: the client adds the id. */
export type ClientCommand = WithoutId<ClientMessage>

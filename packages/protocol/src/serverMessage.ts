import { Schema } from 'effect'
import { Frame } from './frame.ts'
import { quantity, RunState, text } from './quantities.ts'
import { RequestSample } from './requestSample.ts'
import { RunEvent } from './runEvent.ts'
import { RunSummary } from './runSummary.ts'
import { ScenarioFacts } from './scenarioFacts.ts'

export const RunEntry = Schema.Struct({
  run: text('name of the run, unique on the server'),
  scenario: text('name of its scenario'),
  state: RunState,
  time: quantity('virtual time, seconds'),
}).annotate({ identifier: 'RunEntry' })
export type RunEntry = typeof RunEntry.Type

/** First message on a connection, again after `watch` and after a reset: everything a view needs to start from nothing. */
export const Hello = Schema.Struct({
  type: Schema.tag('hello'),
  protocol: Schema.Int.annotate({ description: 'version of the protocol' }),
  run: text('the run that this viewer now watches'),
  runs: Schema.Array(RunEntry),
  scenario: ScenarioFacts,
  history: Schema.Array(Frame).annotate({
    description: 'frames so far, thinned, oldest first; the last one is the present',
  }),
  events: Schema.Array(RunEvent).annotate({ description: 'events so far, oldest first, the latest 200' }),
  samples: Schema.Array(RequestSample).annotate({ description: 'the latest request samples, oldest first' }),
  /** The summary when the run is over. */
  ended: Schema.optionalKey(RunSummary),
}).annotate({ identifier: 'Hello', description: 'Everything a view needs to start from nothing' })
export type Hello = typeof Hello.Type

/** The command took effect at virtual time `time`. */
export const Ack = Schema.Struct({
  type: Schema.tag('ack'),
  id: Schema.String,
  run: Schema.String,
  time: quantity('virtual time at which it took effect, seconds'),
}).annotate({ identifier: 'Ack', description: 'A command took effect' })
export type Ack = typeof Ack.Type

export const ERROR_CODES = [
  'badMessage',
  'tooLarge',
  'tooMany',
  'unknownRun',
  'refused',
  'wrongState',
  'internal',
] as const

/** A message or a command was not accepted, or the run broke (then without an id). The connection lives on. */
export const ErrorMessage = Schema.Struct({
  type: Schema.tag('error'),
  id: Schema.optionalKey(Schema.String),
  run: Schema.optionalKey(Schema.String),
  code: Schema.Literals(ERROR_CODES),
  message: text('what was expected, what was found, what to do'),
}).annotate({ identifier: 'ErrorMessage', description: 'A message or a command was not accepted' })
export type ErrorMessage = typeof ErrorMessage.Type

/** The terminal frame: never dropped. */
export const Ended = Schema.Struct({
  type: Schema.tag('ended'),
  run: Schema.String,
  time: quantity('virtual time, seconds'),
  reason: text('why it ended: duration reached, traffic used up, stopped, or what went wrong'),
  /** The last frame. */
  frame: Frame,
  summary: RunSummary,
}).annotate({ identifier: 'Ended', description: 'The end of a run, with its summary; never dropped' })
export type Ended = typeof Ended.Type

export const ServerMessage = Schema.Union([Hello, Frame, RunEvent, RequestSample, Ended, Ack, ErrorMessage]).annotate({
  identifier: 'ServerMessage',
})
export type ServerMessage = typeof ServerMessage.Type

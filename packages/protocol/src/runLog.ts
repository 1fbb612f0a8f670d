import { Schema } from 'effect'
import { count } from './quantities.ts'

const name = { name: Schema.String }
const replica = { replica: count('number of the replica') }

/** What steers a simulation, as it is written in the command log. */
export const LoggedCommand = Schema.Union([
  Schema.Struct({ kind: Schema.Literal('rate'), requestsPerSecond: Schema.Finite }),
  Schema.Struct({
    kind: Schema.Literal('mix'),
    weights: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
    promptScale: Schema.optionalKey(Schema.Finite),
    outputScale: Schema.optionalKey(Schema.Finite),
  }),
  Schema.Struct({ kind: Schema.Literal('router'), ...name }),
  Schema.Struct({ kind: Schema.Literal('scheduler'), ...name }),
  Schema.Struct({ kind: Schema.Literal('addReplica'), pool: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('removeReplica'), ...replica }),
  Schema.Struct({ kind: Schema.Literal('killReplica'), ...replica }),
]).annotate({ identifier: 'LoggedCommand', description: 'What steers a simulation' })

/** Seed and commands: with the scenario they give the run again. */
export const RunLog = Schema.Struct({
  seed: Schema.Int,
  commands: Schema.Array(
    Schema.Struct({
      seconds: Schema.Natural.annotate({ description: 'whole virtual seconds' }),
      ticks: Schema.Natural.annotate({ description: 'ticks of 2^-44 s beyond them' }),
      command: LoggedCommand,
    }),
  ),
}).annotate({ identifier: 'RunLog', description: 'Seed and commands with their virtual times' })
export type RunLog = typeof RunLog.Type

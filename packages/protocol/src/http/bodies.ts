import { Schema } from 'effect'
import { Frame } from '../frame.ts'
import { Speed, text } from '../quantities.ts'
import { RunSummary } from '../runSummary.ts'
import { ScenarioFacts } from '../scenarioFacts.ts'
import { RunEntry } from '../serverMessage.ts'

/** Body of `POST /api/runs`. */
export const RunRequest = Schema.Struct({
  scenario: Schema.optionalKey(text('a scenario as YAML or JSON text; it may not name files of the server')),
  preset: Schema.optionalKey(text('name of a preset, instead of a text')),
  name: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,63}$/)).annotate({
      description: 'name of the run on the server; made from the name of the scenario when absent',
    }),
  ),
  seed: Schema.optionalKey(Schema.Int),
  speed: Schema.optionalKey(Speed),
  start: Schema.optionalKey(Schema.Boolean.annotate({ description: 'whether it plays at once; true when absent' })),
}).annotate({ identifier: 'RunRequest', description: 'What run to open' })
export type RunRequest = typeof RunRequest.Type

export const RunOpened = Schema.Struct({ run: text('name of the run') }).annotate({ identifier: 'RunOpened' })

export const RunDescription = Schema.Struct({
  run: RunEntry,
  scenario: Schema.NullOr(ScenarioFacts),
  frame: Schema.NullOr(Frame),
}).annotate({ identifier: 'RunDescription', description: 'A run and its latest frame' })

/** Seed and commands: with the scenario they give the run again. */
export const RunLog = Schema.Struct({
  seed: Schema.Int,
  commands: Schema.Array(
    Schema.Struct({
      seconds: Schema.Natural.annotate({ description: 'whole virtual seconds' }),
      ticks: Schema.Natural.annotate({ description: 'ticks of 2^-44 s beyond them' }),
      command: Schema.Record(Schema.String, Schema.Json),
    }),
  ),
}).annotate({ identifier: 'RunLog', description: 'Seed and commands with their virtual times' })

export const KeptRun = Schema.Struct({
  id: Schema.Int,
  run: Schema.String,
  scenario: text('name of its scenario'),
  seed: Schema.Int,
  startedAt: text('wall time, ISO 8601'),
  endedAt: Schema.optionalKey(text('wall time, ISO 8601; absent while it lives, and when the server died')),
}).annotate({ identifier: 'KeptRun', description: 'A run in the store' })
export type KeptRun = typeof KeptRun.Type

export const KeptDescription = Schema.Struct({
  kept: KeptRun,
  scenario: Schema.Record(Schema.String, Schema.Json),
  log: RunLog,
  summary: Schema.NullOr(RunSummary),
}).annotate({ identifier: 'KeptDescription', description: 'A run in the store with its documents' })

export const Deleted = Schema.Struct({ deleted: Schema.Boolean }).annotate({ identifier: 'Deleted' })

export const Health = Schema.Struct({
  ok: Schema.Boolean,
  protocol: Schema.Int,
  runs: Schema.Int,
  viewers: Schema.Int,
}).annotate({ identifier: 'Health' })

export const Refusal = Schema.Struct({
  error: text('a sentence: what was expected, what was found, what to do'),
}).annotate({
  identifier: 'Refusal',
})

import { Schema } from 'effect'
import { Frame } from '../frame.ts'
import { quantity, Speed, text } from '../quantities.ts'
import { RunEvent } from '../runEvent.ts'
import { RunLog } from '../runLog.ts'
import { RunSummary } from '../runSummary.ts'
import { ScenarioFacts } from '../scenarioFacts.ts'
import { RunEntry } from '../serverMessage.ts'

/** Body of `POST /api/runs`. */
export const RunRequest = Schema.Struct({
  scenario: Schema.optionalKey(text('a scenario as YAML or JSON text; it may not name files of the server')),
  preset: Schema.optionalKey(text('name of a preset, instead of a text')),
  overrides: Schema.optionalKey(
    Schema.Array(Schema.String).check(Schema.isMaxLength(100)).annotate({
      description:
        'options laid over the scenario in order, each path=value: run.warmUpSeconds=60, fleet[0].replicas=4',
    }),
  ),
  name: Schema.optionalKey(
    Schema.String.check(Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,63}$/)).annotate({
      description: 'name of the run on the server; made from the name of the scenario when absent',
    }),
  ),
  seed: Schema.optionalKey(Schema.Natural),
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

/** Body of `POST /api/kept/{id}/reopen`. */
export const ReopenRequest = Schema.Struct({
  name: RunRequest.fields.name,
  speed: Schema.optionalKey(Speed),
  start: RunRequest.fields.start,
}).annotate({ identifier: 'ReopenRequest', description: 'How to open a kept run again' })
export type ReopenRequest = typeof ReopenRequest.Type

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

export const KeptExport = Schema.Struct({
  ...KeptDescription.fields,
  events: Schema.Array(RunEvent),
  frames: Schema.Array(Frame),
}).annotate({ identifier: 'KeptExport', description: 'Everything that is kept of a run' })

/** One figure of two runs. A run without such a figure has none here: TPOT of one-token answers, for one. */
export const ComparedKeptFigure = Schema.Struct({
  figure: text('such as TTFT p99'),
  unit: text('s, 1/s, share (0 to 1) or 1'),
  better: Schema.Literals(['lower', 'higher', 'neither']),
  first: Schema.optionalKey(quantity('of the first run')),
  second: Schema.optionalKey(quantity('of the second run')),
  difference: Schema.optionalKey(quantity('second less first')),
  relative: Schema.optionalKey(quantity('difference over the first; absent where that is 0')),
}).annotate({ identifier: 'ComparedKeptFigure' })

export const ComparedSetting = Schema.Struct({
  path: text('where in the scenario, such as fleet[0].replicas'),
  first: Schema.optionalKey(Schema.Json),
  second: Schema.optionalKey(Schema.Json),
}).annotate({ identifier: 'ComparedSetting', description: 'A setting in which two scenarios differ' })

export const KeptComparison = Schema.Struct({
  first: KeptRun,
  second: KeptRun,
  sameFacts: Schema.Boolean.annotate({ description: 'whether the two runs are the same, request by request' }),
  settings: Schema.Array(ComparedSetting),
  figures: Schema.Array(ComparedKeptFigure),
}).annotate({ identifier: 'KeptComparison', description: 'What differs between two kept runs' })
export type KeptComparison = typeof KeptComparison.Type

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

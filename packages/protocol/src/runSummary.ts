import { Schema } from 'effect'
import { count, Distribution, quantity, RequestTotals, share, text } from './quantities.ts'
import { RunDetails } from './runDetails.ts'

/** The figures of a whole run, or of a run so far. The same JSON as the command line writes. */
export const RunSummary = Schema.Struct({
  version: Schema.Literal(1),
  scenario: text('name of the scenario'),
  seed: Schema.Int,
  requests: RequestTotals,
  ttft: Distribution,
  itl: Distribution,
  tpot: Distribution,
  e2e: Distribution,
  queue: Distribution,
  throughput: Schema.Struct({
    requestsPerSecond: quantity('completed requests per second'),
    inputTokensPerSecond: quantity('prompt tokens of completed requests per second'),
    outputTokensPerSecond: quantity('tokens delivered per second'),
  }),
  goodput: quantity('requests per second that met their objectives; all completed ones where there are none'),
  kv: Schema.Struct({
    peakUtilisation: share('largest use of KV blocks on any replica'),
    prefixHitRate: share('prompt tokens found in a prefix cache: ratio of sums'),
  }),
  preemptions: count('preemptions'),
  cost: Schema.Struct({
    backend: text('registry name of the step cost'),
    extrapolated: Schema.Boolean,
  }),
  warnings: Schema.Array(Schema.String),
  simulatedSeconds: quantity('virtual seconds'),
  simulatorSeconds: quantity(
    'seconds that simulating took: of the processor in a live run, of the wall clock elsewhere',
  ),
  factsHash: text('16 hexadecimal digits over the request-level facts in order'),
  details: Schema.optionalKey(RunDetails),
}).annotate({ identifier: 'RunSummary', description: 'The figures of a whole run' })
export type RunSummary = typeof RunSummary.Type

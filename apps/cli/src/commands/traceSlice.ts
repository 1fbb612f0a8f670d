import type { TraceRow } from '@windtunnel/workload/traces/row'
import type { TraceSlice } from '@windtunnel/workload/traces/slice'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import { type TraceChoices, traceArgument, traceFlags } from '../trace/traceFlags.ts'
import { forceFlag, toFlag, type WriteChoices } from '../trace/writeFlags.ts'

interface Input extends TraceChoices, WriteChoices {
  readonly from: number
  readonly until: Option.Option<number>
  readonly rows: Option.Option<number>
  readonly keep: number
  readonly seed: number
}

export const traceSlice = Command.make(
  'slice',
  {
    file: traceArgument,
    out: Argument.String('out').pipe(Argument.withDescription('The file to write.')),
    from: Flag.Finite('from').pipe(
      Flag.withMetavar('SECONDS'),
      Flag.withDescription('First second to keep, counted from the first row.'),
      Flag.withDefault(0),
    ),
    until: Flag.Finite('until').pipe(
      Flag.withMetavar('SECONDS'),
      Flag.withDescription('Second at which to stop; rows at it are left out.'),
      Flag.optional,
    ),
    rows: Flag.Int('rows').pipe(Flag.withDescription('Most rows to keep.'), Flag.optional),
    keep: Flag.Finite('keep').pipe(
      Flag.withMetavar('SHARE'),
      Flag.withDescription('Share of the rows to keep by chance, whole sessions together (above 0, at most 1).'),
      Flag.withDefault(1),
    ),
    seed: Flag.Int('seed').pipe(Flag.withDescription('Seed of that chance.'), Flag.withDefault(1)),
    to: toFlag,
    ...traceFlags,
    force: forceFlag,
  },
  action(async (input: Input) => {
    const until = Option.getOrUndefined(input.until)
    const maximumRows = Option.getOrUndefined(input.rows)
    if (!(input.keep > 0 && input.keep <= 1))
      throw new CliFault(`--keep ${input.keep}: expected a share above 0 and at most 1`)
    if (input.from < 0) throw new CliFault(`--from ${input.from}: expected seconds, 0 or more`)
    if (until !== undefined && until <= input.from)
      throw new CliFault(`--until ${until}: expected more than --from ${input.from}`)
    if (maximumRows !== undefined && maximumRows < 1) throw new CliFault(`--rows ${maximumRows}: expected 1 or more`)
    const { TraceSlice } = await import('@windtunnel/workload/traces/slice')
    const { openTrace } = await import('../trace/traceRows.ts')
    const { writeTrace } = await import('../trace/writeTrace.ts')
    const slice = new TraceSlice({
      fromSeconds: input.from,
      keepShare: input.keep,
      seed: input.seed,
      ...(until === undefined ? {} : { untilSeconds: until }),
      ...(maximumRows === undefined ? {} : { maximumRows }),
    })
    const trace = openTrace(input)
    await writeTrace(trace, kept(trace.rows, slice), input)
  }),
).pipe(Command.withDescription('Write a part of a trace: a stretch of time, the first rows, a share of them.'))

async function* kept(rows: AsyncIterable<TraceRow>, slice: TraceSlice): AsyncGenerator<TraceRow> {
  for await (const row of rows) {
    if (slice.keeps(row)) yield row
    if (slice.finished) return
  }
}

import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import { action } from '../action.ts'
import { type TraceChoices, traceArgument, traceFlags } from '../trace/traceFlags.ts'
import { forceFlag, toFlag, type WriteChoices } from '../trace/writeFlags.ts'

type Input = TraceChoices & WriteChoices

export const traceConvert = Command.make(
  'convert',
  {
    file: traceArgument,
    out: Argument.String('out').pipe(Argument.withDescription('The file to write.')),
    to: toFlag,
    ...traceFlags,
    force: forceFlag,
  },
  action(async (input: Input) => {
    const { openTrace } = await import('../trace/traceRows.ts')
    const { writeTrace } = await import('../trace/writeTrace.ts')
    const trace = openTrace(input)
    await writeTrace(trace, trace.rows, input)
  }),
).pipe(Command.withDescription('Write a trace in another format.'))

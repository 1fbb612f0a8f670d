import * as Command from 'effect/cli/Command'
import { traceConvert } from './traceConvert.ts'
import { traceImport } from './traceImport.ts'
import { traceInspect } from './traceInspect.ts'
import { traceSlice } from './traceSlice.ts'
import { traceSynthesise } from './traceSynthesise.ts'

export const trace = Command.make('trace').pipe(
  Command.withDescription('Look into a recorded trace, convert it, cut it, or fit a generator to it.'),
  Command.withSubcommands([traceInspect, traceConvert, traceSlice, traceSynthesise, traceImport]),
)

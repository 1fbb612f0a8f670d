import { registry } from '../../parts/part.ts'
import * as all from './all.ts'

/** Every trace format, by name. */
export const traceFormats = registry(all)
export type TraceFormatName = keyof typeof traceFormats

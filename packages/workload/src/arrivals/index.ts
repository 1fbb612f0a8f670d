import { registry } from '../parts/part.ts'
import * as all from './all.ts'

/** Every arrival process, by name. */
export const arrivals = registry(all)
export type ArrivalName = keyof typeof arrivals
export type { ArrivalProcess, RateCurve, Spacing } from './arrivalProcess.ts'

import type { TrafficContext } from '../context.ts'
import { definePart } from '../parts/part.ts'
import type { ArrivalProcess } from './arrivalProcess.ts'

/** Registers an arrival process. */
export const arrivalPart = definePart<ArrivalProcess, TrafficContext>()

import type { TrafficContext } from '../context.ts'
import { definePart } from '../parts/part.ts'
import { part } from '../parts/units.ts'
import type { Structure } from './structure.ts'

/** Registers a structure of requests. */
export const structurePart = definePart<Structure, TrafficContext>()

export const input = part('lengths', 'Tokens of the prompt; a draw of 0 counts as 1.')
export const output = part('lengths', 'Tokens that the model generates; a draw of 0 counts as 1.')

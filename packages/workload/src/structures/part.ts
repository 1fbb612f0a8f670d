import type { TrafficContext } from '../context.ts'
import { definePart } from '../parts/part.ts'
import { part } from '../parts/units.ts'
import type { Structure } from './structure.ts'

/** Registers a structure of requests. */
export const structurePart = definePart<Structure, TrafficContext>()

export const input = part('lengths', 'Tokens of the prompt.')
export const output = part('lengths', 'Tokens that the model generates.')

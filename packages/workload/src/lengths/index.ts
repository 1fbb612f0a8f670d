import { registry } from '../parts/part.ts'
import * as all from './all.ts'

/** Every distribution of lengths, by name. */
export const lengths = registry(all)
export type LengthName = keyof typeof lengths
export type { LengthDistribution } from './lengthDistribution.ts'

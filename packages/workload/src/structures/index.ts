import { registry } from '../parts/part.ts'
import * as all from './all.ts'

/** Every structure of requests, by name. */
export const structures = registry(all)
export type StructureName = keyof typeof structures
export type { FollowUps, Structure } from './structure.ts'

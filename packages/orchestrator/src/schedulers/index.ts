import { byName } from '../byName.ts'
import * as all from './all.ts'
import type { Scheduler } from './scheduler.ts'

export type { QueuedRequest, Scheduler } from './scheduler.ts'

/** Every scheduler by name. */
export const schedulers: ReadonlyMap<string, Scheduler> = byName(all)

import { byName } from '../byName.ts'
import * as all from './all.ts'
import type { Scheduler } from './scheduler.ts'

export { FAIR_TOKENS, type FairShareWeights, fairShareWith } from './fairShare.ts'
export type { Picker, QueuedRequest, QueueView, Scheduler } from './scheduler.ts'

/** Every scheduler by name. */
export const schedulers: ReadonlyMap<string, Scheduler> = byName(all)

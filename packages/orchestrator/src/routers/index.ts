import { byName } from '../byName.ts'
import * as all from './all.ts'
import type { Router } from './router.ts'

export { bindRouter } from './bindRouter.ts'
export type { Decision, DecisionListener } from './decision.ts'
export { defineRouter } from './defineRouter.ts'
export type { Choose, RoutedRequest, Router, RouterIndex, RouterValues, RouterView } from './router.ts'
export { lowest } from './router.ts'

/** Every router by name. */
export const routers: ReadonlyMap<string, Router> = byName(all)

import { byName } from '../byName.ts'
import * as all from './all.ts'
import type { Router } from './router.ts'

export type { Choose, RoutedRequest, Router, RouterView } from './router.ts'
export { lowest } from './router.ts'

/** Every router by name. */
export const routers: ReadonlyMap<string, Router> = byName(all)

import { byName } from '../byName.ts'
import * as all from './all.ts'
import type { EngineKind } from './engine.ts'

export type { Engine, EngineContext, EngineKind, EngineOptions } from './engine.ts'

/** Every engine by name. */
export const engines: ReadonlyMap<string, EngineKind> = byName(all)

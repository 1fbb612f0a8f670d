import { byName } from '../byName.ts'
import * as all from './all.ts'

export * from './all.ts'
export type { Engine, EngineContext, EngineKind, EngineLimits } from './engine.ts'
export type { JetstreamOptions, SlotCost, TargetRule } from './jetstream/jetstreamOptions.ts'
export type { PrefixTrieOptions } from './jetstream/prefixStore.ts'
export type { ServerMetric } from './serverMetric.ts'
export type { SglangOptions } from './sglang/sglangOptions.ts'
export type { StaticOptions } from './static/staticOptions.ts'
export type { SarathiOptions } from './vllm/sarathi.ts'
export type { TrtllmOptions } from './vllm/trtllm.ts'
export type { HostCacheOptions, Reserve, SwapOptions, VllmOptions } from './vllm/vllmOptions.ts'

/** Name and description of every engine, for menus. Options differ, so an engine is created through its own export. */
export const engines: ReadonlyMap<string, { readonly name: string; readonly description: string }> = byName(all)

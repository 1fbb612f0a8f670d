import type { EngineKind } from '../engine.ts'
import { StaticEngine } from './staticEngine.ts'
import type { StaticOptions } from './staticOptions.ts'

export const staticBatching: EngineKind<StaticOptions> = {
  name: 'static',
  description:
    'static batching: prompts padded to the longest of the batch, and nobody joins before its longest output has ended',
  create(context, options) {
    if (options.prefixCache) throw new RangeError('the static engine has no prefix cache: set prefixCache to false')
    if (context.prefillOnly) throw new RangeError('the static engine runs whole requests: give its pool the role both')
    return new StaticEngine(context, options)
  },
}

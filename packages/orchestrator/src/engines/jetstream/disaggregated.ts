import type { EngineKind } from '../engine.ts'
import { JetstreamEngine } from './jetstreamEngine.ts'
import { checkJetstream, type JetstreamOptions } from './jetstreamOptions.ts'

export const disaggregated: EngineKind<JetstreamOptions> = {
  name: 'disaggregated',
  description:
    'JetStream, disaggregated: prefill and generate engines of one server on accelerators of their own, joined by transfer threads',
  create(context, options) {
    checkJetstream(options, false)
    if (context.prefillOnly) throw new RangeError('a JetStream server runs whole requests: give its pool the role both')
    return new JetstreamEngine(context, options, false)
  },
}

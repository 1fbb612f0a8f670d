import type { EngineKind } from '../engine.ts'
import { JetstreamEngine } from './jetstreamEngine.ts'
import { checkJetstream, type JetstreamOptions } from './jetstreamOptions.ts'

export const interleaved: EngineKind<JetstreamOptions> = {
  name: 'interleaved',
  description:
    'JetStream, interleaved: prefill and generate threads share their accelerators, and prompts that wait go first',
  create(context, options) {
    checkJetstream(options, true)
    if (context.prefillOnly) throw new RangeError('a JetStream server runs whole requests: give its pool the role both')
    return new JetstreamEngine(context, options, true)
  },
}

import { interleaved as engine, type JetstreamOptions } from '@windtunnel/orchestrator/engines/index'
import { count, group, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { backlog, jetstreamLimits, jetstreamOptions, mostSlots } from './jetstreamOptions.ts'

const option = group(
  {
    engines: withDefault(
      count({
        sentence: 'Engines of one server, each with the layout of the pool; every one prefills and generates.',
        unit: 'engines',
        minimum: 1,
        maximum: 64,
      }),
      1,
    ),
    transferBacklog: withDefault(
      backlog('Prefilled prompts that may wait for the transfer thread of one engine; 0 sets no bound.', 'requests'),
      1,
    ),
    generateBacklog: withDefault(
      backlog('Prefilled prompts that may wait for a slot of one engine; 0 sets no bound.', 'requests'),
      1,
    ),
    ...jetstreamOptions,
  },
  {
    sentence:
      'JetStream, interleaved: prefill and generate threads share the accelerators of their engine, and prompts that wait go first.',
  },
)

export const interleaved = defineEngine({
  name: 'interleaved',
  option,
  wholeRequests: true,
  maxSequences: mostSlots,
  enginesPerReplica: (chosen) => chosen.engines,
  bind: (chosen, site) => {
    const limits: JetstreamOptions = {
      ...jetstreamLimits(chosen, site, true),
      prefillEngines: chosen.engines,
      generateEngines: chosen.engines,
      transferBacklog: chosen.transferBacklog,
      generateBacklog: chosen.generateBacklog,
      transferBytesPerSecond: Number.POSITIVE_INFINITY,
      transferLatencySeconds: 0,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})

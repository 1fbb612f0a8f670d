import { disaggregated as engine, type JetstreamOptions } from '@windtunnel/orchestrator/engines/index'
import { count, group, optional, quantity, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { backlog, jetstreamLimits, jetstreamOptions, mostSlots } from './jetstreamOptions.ts'

const engines = (sentence: string) => count({ sentence, unit: 'engines', minimum: 1, maximum: 64 })

const option = group(
  {
    prefillEngines: withDefault(engines('Prefill engines of one server, each with the layout of the pool.'), 1),
    generateEngines: withDefault(engines('Generate engines of one server, each with the layout of the pool.'), 1),
    transferBacklog: withDefault(
      backlog(
        'Prefilled prompts that may wait for the transfer thread of one prefill engine; 0 sets no bound.',
        'requests',
      ),
      4,
    ),
    generateBacklog: optional(
      count({
        sentence:
          'Transferred prompts that may wait for a slot of one generate engine; without it a third of the slots, and no bound (0) below three slots.',
        unit: 'requests',
        minimum: 0,
        example: 32,
      }),
    ),
    transferBytesPerSecond: withDefault(
      quantity({
        sentence: 'Bandwidth from a prefill engine to a generate engine; one prefix at a time.',
        unit: 'bytes per second',
        above: 0,
      }),
      50e9,
    ),
    transferLatencySeconds: withDefault(
      quantity({ sentence: 'Delay before the first byte of a prefix arrives.', unit: 'seconds', minimum: 0 }),
      1e-5,
    ),
    ...jetstreamOptions,
  },
  {
    sentence:
      'JetStream, disaggregated: prefill and generate engines of one server on accelerators of their own, joined by transfer threads. Its pool has the role both.',
  },
)

export const disaggregated = defineEngine({
  name: 'disaggregated',
  option,
  wholeRequests: true,
  maxSequences: mostSlots,
  enginesPerReplica: (chosen) => chosen.prefillEngines + chosen.generateEngines,
  bind: (chosen, site) => {
    const shared = jetstreamLimits(chosen, site, false)
    const limits: JetstreamOptions = {
      ...shared,
      prefillEngines: chosen.prefillEngines,
      generateEngines: chosen.generateEngines,
      transferBacklog: chosen.transferBacklog,
      generateBacklog: chosen.generateBacklog ?? Math.floor(shared.maxSequences / 3),
      transferBytesPerSecond: chosen.transferBytesPerSecond,
      transferLatencySeconds: chosen.transferLatencySeconds,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})

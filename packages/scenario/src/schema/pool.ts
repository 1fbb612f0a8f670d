import { acceleratorNames, acceleratorSpecs } from '@windtunnel/hardware'
import { dtypes } from './dtypes.ts'
import { engine } from './engine.ts'
import { frontEnd } from './frontEnd.ts'
import { layout } from './layout.ts'
import { choice, count, group, list, optional, quantity, text, withDefault } from './options.ts'

const hardwareAliases = acceleratorNames.flatMap((name) => [...acceleratorSpecs[name].aliases])

/** Equal replicas. */
export const pool = group(
  {
    name: withDefault(text({ sentence: 'Name of the pool, unique in the fleet.' }), 'default'),
    role: withDefault(
      choice(['both', 'prefill', 'generate'], {
        sentence: 'What its replicas do: both phases, or one side of a disaggregated layout.',
      }),
      'both',
    ),
    replicas: withDefault(
      count({ sentence: 'Replicas at the start.', unit: 'replicas', minimum: 1, maximum: 10000 }),
      1,
    ),
    hardware: choice<string>(
      acceleratorNames,
      { sentence: 'Accelerator of every replica.', example: 'h100' },
      hardwareAliases,
    ),
    layout: withDefault(layout, {}),
    dtypes: withDefault(dtypes, {}),
    engine,
    frontEnd,
    startUpSeconds: withDefault(
      quantity({
        sentence: 'Time from the command that adds a replica to its first request.',
        unit: 'seconds',
        minimum: 0,
      }),
      0,
    ),
    scaleUpDomain: optional(
      count({
        sentence:
          'Accelerators that one scale-up network joins; without it those of the node in which the hardware usually sits: 8 of most servers, 2 with an NVLink bridge, 72 of an NVL72 rack, a whole slice of TPUs.',
        unit: 'accelerators',
        minimum: 1,
        example: 8,
      }),
    ),
    dollarsPerAcceleratorHour: optional(
      quantity({
        sentence: 'Price of one accelerator; without it the price of the hardware file, where it has one.',
        unit: 'US dollars per hour',
        minimum: 0,
        example: 2.5,
      }),
    ),
  },
  { sentence: 'A pool of equal replicas.' },
)

export const fleet = list(pool, {
  sentence: 'Pools of replicas: one or more of role both, or prefill and generate pools together.',
  minimumItems: 1,
  example: [{ name: 'default', hardware: 'h100' }],
})

import type { RandomStream } from '@windtunnel/des'
import { type Options, type OptionValues, resolveOptions } from '@windtunnel/workload/parts'
import type { Choose, Router } from './router.ts'
import { withStaleness } from './staleSignals.ts'

/** How old the load that a router sees may be. */
const stalenessSeconds = {
  kind: 'number',
  integer: false,
  unit: 'seconds',
  minimum: 0,
  maximum: 400,
  default: 0,
  sentence:
    'How old the load figures that it sees may be: all are read anew when the last reading is older; 0 sees every change at once.',
} as const

/** A router with options that looks at the load of replicas, and so has `stalenessSeconds` as well. */
export function defineRouter<const O extends Options>(router: {
  readonly name: string
  readonly description: string
  readonly options: O
  start(values: OptionValues<O>, random: RandomStream): Choose
}): Router {
  const options = { stalenessSeconds, ...router.options }
  return {
    name: router.name,
    description: router.description,
    options,
    start: (random, given = {}) => {
      const values = resolveOptions(`router ${router.name}`, options, given)
      const choose = router.start(values as unknown as OptionValues<O>, random)
      return withStaleness(choose, values.stalenessSeconds as number)
    },
  }
}

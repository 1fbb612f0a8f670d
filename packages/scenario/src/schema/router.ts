import { routers } from '@windtunnel/orchestrator/routers/index'
import { type Option, optional, variant, withDefault } from './options.ts'
import { PartOptions } from './parts.ts'

const parts = new PartOptions({ arrivals: {}, lengths: {}, structures: {} })

const cases: Record<string, Option> = {}
for (const [name, router] of routers)
  cases[name] = parts.group(router.options ?? {}, { sentence: `${router.description}.` })

/** How requests find a replica. */
export const router = withDefault(
  variant('name', cases, { sentence: 'How requests find a replica; in a disaggregated fleet, on both sides.' }),
  { name: 'round-robin' },
)

/** How prefilled requests find a generate replica. */
export const generateRouter = optional(
  variant('name', cases, {
    sentence: 'How prefilled requests find a generate replica in a disaggregated fleet; without it as router says.',
    example: { name: 'least-tokens' },
  }),
)

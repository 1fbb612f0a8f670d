import { routers } from '@windtunnel/orchestrator/routers/index'
import { group, type Option, variant, withDefault } from './options.ts'

const cases: Record<string, Option> = {}
for (const [name, router] of routers) cases[name] = group({}, { sentence: `${router.description}.` })

/** How requests find a replica. */
export const router = withDefault(
  variant('name', cases, { sentence: 'How requests find a replica; in a disaggregated fleet, on both sides.' }),
  { name: 'round-robin' },
)

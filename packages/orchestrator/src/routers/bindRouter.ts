import { resolveOptions } from '@windtunnel/workload/parts'
import type { Router, RouterValues } from './router.ts'

/** The router with its options set: they hold wherever it is started. Throws an OptionError or UnknownPart when they cannot be. */
export const bindRouter = (router: Router, values: RouterValues): Router => {
  if (router.options === undefined) return router
  const whole: RouterValues = resolveOptions(`router ${router.name}`, router.options, values)
  const delay = whole['eventDelaySeconds']
  return {
    ...router,
    start: (random) => router.start(random, whole),
    ...(typeof delay === 'number' ? { cacheDelaySeconds: delay } : {}),
  }
}

import type { Objectives, WindowObserver, WindowSlot } from '@windtunnel/metrics'
import type { ClassFrame, ObjectiveFrame } from '@windtunnel/protocol'
import { percentiles } from './percentiles.ts'

/** The share of completed requests (of gaps, for ITL) that met each promise in the window. */
export function objectiveFrames(
  objectives: readonly Objectives[],
  window: WindowObserver,
  fleet: WindowSlot,
  windowSeconds: number,
  now: number,
): ObjectiveFrame[] {
  const frames: ObjectiveFrame[] = []
  objectives.forEach((promised, index) => {
    const slot = window.classes[index]?.over(windowSeconds, now).merged ?? fleet
    const { serviceClass } = promised
    const share = (met: number): { met?: number } => (slot.completed > 0 ? { met: met / slot.completed } : {})
    const counts = { ttft: slot.ttftMet, tpot: slot.tpotMet, e2e: slot.e2eMet }
    for (const metric of ['ttft', 'tpot', 'e2e'] as const) {
      const limit = promised[metric]
      if (limit !== undefined) frames.push({ serviceClass, metric, limit, ...share(counts[metric]) })
    }
    if (promised.itl !== undefined) {
      const met = fleet.itl.shareAtMost(promised.itl)
      frames.push({ serviceClass, metric: 'itl', limit: promised.itl, ...(met === undefined ? {} : { met }) })
    }
    frames.push({ serviceClass, metric: 'all', ...share(slot.good) })
  })
  return frames
}

/** One entry a service class where there are several. */
export function classFrames(
  objectives: readonly Objectives[],
  window: WindowObserver,
  windowSeconds: number,
  now: number,
): ClassFrame[] {
  return window.classes.map((ring, index) => {
    const { merged, seconds } = ring.over(windowSeconds, now)
    const perSecond = seconds > 0 ? 1 / seconds : 0
    const ttft = percentiles(merged.ttft)
    const e2e = percentiles(merged.e2e)
    return {
      serviceClass: objectives[index]?.serviceClass ?? `class ${index}`,
      requestsPerSecond: merged.completed * perSecond,
      goodput: merged.good * perSecond,
      ...(ttft === undefined ? {} : { ttft }),
      ...(e2e === undefined ? {} : { e2e }),
    }
  })
}

import type { Objectives } from '@windtunnel/metrics'
import type { Frame, RunEvent } from '@windtunnel/protocol'
import { type Breach, breachesOf, whyLate } from './whyLate.ts'

type Told = Pick<RunEvent, 'kind' | 'text'>

/** A promised limit without needless digits: 500 ms, 2.5 ms, 20 s. */
const limitText = (seconds: number): string =>
  seconds >= 1 ? `${Number(seconds.toPrecision(4))} s` : `${Number((seconds * 1000).toPrecision(4))} ms`

/** A condition that must hold, or be gone, for a while of virtual time before it is told, so that it does not flicker. */
class Latch {
  #on = false
  #since: number | undefined
  readonly #holdSeconds: number

  constructor(holdSeconds: number) {
    this.#holdSeconds = holdSeconds
  }

  /** 'begun' or 'over' when it has just settled. */
  update(holds: boolean, time: number): 'begun' | 'over' | undefined {
    if (holds === this.#on) {
      this.#since = undefined
      return undefined
    }
    this.#since ??= time
    if (time - this.#since < this.#holdSeconds) return undefined
    this.#on = holds
    this.#since = undefined
    return holds ? 'begun' : 'over'
  }
}

/** Whether the window holds any value of a metric: without one a promise is neither broken nor kept. */
function measured(frame: Frame, serviceClass: string, metric: Breach['metric']): boolean {
  const own = frame.classes.find((one) => one.serviceClass === serviceClass) ?? frame
  return (metric === 'ttft' || metric === 'e2e' ? own[metric] : frame[metric]) !== undefined
}

/** Watches frames for what deserves a mark: objectives breached, preemption storms, saturation. */
export class Incidents {
  readonly #objectives: readonly Objectives[]
  readonly #latches = new Map<string, Latch>()

  constructor(objectives: readonly Objectives[]) {
    this.#objectives = objectives
  }

  /** What has just begun or ended, in the words of an event. */
  watch(frame: Frame): Told[] {
    return [...this.#promises(frame), ...this.#storm(frame), ...this.#saturation(frame)]
  }

  #promises(frame: Frame): Told[] {
    const several = this.#objectives.length > 1
    const broken = new Map(breachesOf(frame).map((breach) => [`${breach.serviceClass} ${breach.metric}`, breach]))
    return frame.objectives.flatMap(({ serviceClass, metric, limit }): Told[] => {
      if (metric === 'all' || limit === undefined) return []
      const key = `${serviceClass} ${metric}`
      if (!measured(frame, serviceClass, metric)) return []
      const change = this.#latch(key, 1).update(broken.has(key), frame.time)
      const promise = `${metric.toUpperCase()} p99${several ? ` of ${serviceClass}` : ''}`
      if (change === 'over')
        return [{ kind: 'objectiveRecovered', text: `${promise} within ${limitText(limit)} again` }]
      if (change !== 'begun') return []
      const why = whyLate(frame, metric)
      const text = `${promise} above ${limitText(limit)}${why === undefined ? '' : `: ${why}`}`
      return [{ kind: 'objectiveBreached', text }]
    })
  }

  #storm(frame: Frame): Told[] {
    const storm = frame.preemptionsPerSecond > Math.max(1, 0.2 * frame.arrivalRate)
    const change = this.#latch('storm', 1).update(storm, frame.time)
    const text = `preemption storm: ${frame.preemptionsPerSecond.toFixed(1)} a second, KV use ${Math.round(frame.kvUse * 100)} %`
    return change === 'begun' ? [{ kind: 'preemptionStorm', text }] : []
  }

  /** Saturated: a long queue while clearly more arrives than finishes. Recovered: the queue is short again. */
  #saturation(frame: Frame): Told[] {
    const longQueue = frame.waiting > Math.max(8, 0.5 * frame.running)
    const change = this.#latch('saturated', 2).update(longQueue, frame.time)
    if (change === 'begun')
      return [
        {
          kind: 'saturated',
          text: `saturated: ${frame.waiting} requests wait, ${frame.arrivalRate.toFixed(1)} arrive a second`,
        },
      ]
    return change === 'over' ? [{ kind: 'recovered', text: 'queue is short again' }] : []
  }

  #latch(name: string, holdSeconds: number): Latch {
    const known = this.#latches.get(name)
    if (known !== undefined) return known
    const latch = new Latch(holdSeconds)
    this.#latches.set(name, latch)
    return latch
  }
}

import type { Objectives } from '@windtunnel/metrics'
import type { Frame, RunEvent } from '@windtunnel/protocol'

type Told = Pick<RunEvent, 'kind' | 'text'>

const milliseconds = (seconds: number): string => `${(seconds * 1000).toFixed(seconds < 0.1 ? 1 : 0)} ms`

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
    const told: Told[] = []
    const several = this.#objectives.length > 1
    for (const { serviceClass, ...limits } of this.#objectives) {
      const own = frame.classes.find((one) => one.serviceClass === serviceClass) ?? frame
      const seen = { ttft: own.ttft?.p99, e2e: own.e2e?.p99, itl: frame.itl?.p99, tpot: frame.tpot?.p99 }
      for (const metric of ['ttft', 'itl', 'tpot', 'e2e'] as const) {
        const limit = limits[metric]
        const p99 = seen[metric]
        if (limit === undefined || p99 === undefined) continue
        const change = this.#latch(`${serviceClass} ${metric}`, 1).update(p99 > limit, frame.time)
        const name = `${metric.toUpperCase()} p99${several ? ` of ${serviceClass}` : ''}`
        if (change === 'begun') told.push({ kind: 'objectiveBreached', text: `${name} above ${milliseconds(limit)}` })
        if (change === 'over')
          told.push({ kind: 'objectiveRecovered', text: `${name} within ${milliseconds(limit)} again` })
      }
    }
    return told
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

import type { Picker, QueuedRequest, QueueView, Scheduler } from './scheduler.ts'

export interface FairShareWeights {
  /** Worth of a prompt token and of an output token. */
  readonly input: number
  readonly output: number
  /** Share of each tenant, by number; 1 where absent. */
  readonly tenants: readonly number[]
}

/**
 * Virtual token counters (Sheng and others, "Fairness in serving large language models", 2024): each tenant has a counter of
 * the service it got, weighted, over its share; the waiting tenant with the least goes first. A tenant that comes back to the
 * queue is lifted to the least of those who wait (or to the last served, when nobody does), so that nobody saves up.
 */
export class VirtualTokenCounters implements Picker {
  private readonly weights: FairShareWeights
  /** What each tenant's counter was lifted by. */
  private readonly lifts = new Map<number, number>()
  private last: number | undefined

  constructor(weights: FairShareWeights) {
    this.weights = weights
  }

  joined({ tenant }: QueuedRequest, queue: QueueView): void {
    let floor = this.last === undefined || queue.count > 0 ? undefined : this.counter(this.last, queue)
    for (let at = 0; at < queue.count; at++) {
      const other = queue.request(at).tenant
      if (other === tenant) return
      const counter = this.counter(other, queue)
      if (floor === undefined || counter < floor) floor = counter
    }
    const missing = floor === undefined ? 0 : floor - this.counter(tenant, queue)
    if (missing > 0) this.lifts.set(tenant, (this.lifts.get(tenant) ?? 0) + missing)
  }

  admitted({ tenant }: QueuedRequest): void {
    this.last = tenant
  }

  pick(queue: QueueView): number {
    const seen = new Set<number>()
    let best = 0
    let least = Number.POSITIVE_INFINITY
    for (let at = 0; at < queue.count; at++) {
      const { tenant } = queue.request(at)
      if (seen.has(tenant)) continue
      seen.add(tenant)
      const counter = this.counter(tenant, queue)
      if (counter < least) {
        best = at
        least = counter
      }
    }
    return best
  }

  private counter(tenant: number, queue: QueueView): number {
    const { input, output, tenants } = this.weights
    const served = input * queue.servedInput(tenant) + output * queue.servedOutput(tenant)
    return (this.lifts.get(tenant) ?? 0) + served / (tenants[tenant] ?? 1)
  }
}

/** A fair share with weights of one's own. Throws a RangeError for a weight that is no share. */
export function fairShareWith(weights: FairShareWeights): Scheduler {
  const all = [weights.input, weights.output, ...weights.tenants]
  const wrong = all.find((weight, at) => !(Number.isFinite(weight) && (at < 2 ? weight >= 0 : weight > 0)))
  if (wrong !== undefined)
    throw new RangeError(`fair-share: expected token weights of at least 0 and tenant weights above 0, found ${wrong}`)
  return {
    name: 'fair-share',
    description:
      'the waiting tenant that has been served least (virtual token counters); each tenant in order of arrival within itself',
    start: () => new VirtualTokenCounters(weights),
    victim: 'lastAdmitted',
  }
}

/** The usual worth of tokens: an output token is worth two of a prompt. */
export const FAIR_TOKENS = { input: 1, output: 2 } as const

/** Equal shares. */
export const fairShare: Scheduler = fairShareWith({ ...FAIR_TOKENS, tenants: [] })

import { addSeconds, compareTime, copyTime, SECONDS_PER_TICK, type Time, ticksBetween } from '@windtunnel/des'
import { emptied } from '../emptied.ts'
import { NO_SLOT } from '../requests.ts'
import type { LinkOptions, Links, LinkView } from './links.ts'
import { type SharedLink, type Sharer, shareFairly } from './maxMinFair.ts'

interface FabricLink extends SharedLink {
  readonly kind: LinkView['kind']
  readonly replica: number
  bytesDone: number
}

interface Flow extends Sharer {
  readonly slot: number
  readonly links: readonly FabricLink[]
  readonly bytes: number
  /** Of `bytes`, those that may be sent so far. */
  offered: number
  /** Offered and not sent at `anchor`; from then on sent at `rate` bytes per second. */
  remaining: number
  rate: number
  readonly anchor: Time
  /** End of the start-up time, or of what is offered; undefined while it waits for an offer. */
  event: 'started' | 'drained' | undefined
  readonly at: Time
}

/** Egress links by replica, then ingress links by replica, then the spine. */
const inOrder = (a: FabricLink, b: FabricLink): number =>
  a.kind === b.kind ? a.replica - b.replica : a.kind < b.kind ? -1 : 1

/**
 * A fabric in which transfers flow side by side: each crosses the egress link of its prefill replica, the ingress link of
 * its generate replica and, where there is one, the spine that all share, and gets its max-min fair share of them. A flow is
 * anchored when its share changes, and its end is computed from the anchor; looking at it changes nothing.
 */
export class FairLinks implements Links {
  private readonly options: LinkOptions
  private readonly links: FabricLink[] = []
  /** The same by kind, then by replica. */
  private readonly byReplica: Record<LinkView['kind'], FabricLink[]> = { egress: [], ingress: [], spine: [] }
  /** In the order in which they were asked for. */
  private readonly flows: Flow[] = []
  private readonly flowing: Flow[] = []
  private next: Flow | undefined
  onStart: Links['onStart'] = () => {}

  constructor(options: LinkOptions) {
    this.options = options
  }

  request(slot: number, source: number, target: number, bytes: number, offered: number, now: Time): void {
    const { bytesPerSecond, ingressBytesPerSecond, spineBytesPerSecond, latencySeconds } = this.options
    const links = [
      this.link('egress', source, bytesPerSecond),
      this.link('ingress', target, ingressBytesPerSecond ?? bytesPerSecond),
    ]
    if (spineBytesPerSecond !== undefined) links.push(this.link('spine', 0, spineBytesPerSecond))
    const { seconds, ticks } = now
    const flow: Flow = {
      slot,
      links,
      bytes,
      offered,
      remaining: offered,
      rate: 0,
      share: 0,
      anchor: { seconds, ticks },
      event: 'started',
      at: addSeconds({ seconds, ticks }, latencySeconds),
    }
    this.flows.push(flow)
    this.onStart(slot, source, bytes, now)
    this.findNext()
  }

  offer(slot: number, offered: number, now: Time): void {
    const flow = this.flows.find((one) => one.slot === slot)
    if (flow === undefined || offered <= flow.offered) return
    const more = offered - flow.offered
    flow.offered = offered
    if (flow.event === 'drained') {
      this.anchor(flow, now)
      flow.remaining += more
      this.foresee(flow)
      this.findNext()
      return
    }
    flow.remaining += more
    if (flow.event === undefined) this.begin(flow, now)
  }

  nextEvent(into: Time): boolean {
    if (this.next === undefined) return false
    copyTime(into, this.next.at)
    return true
  }

  handle(now: Time): number {
    const flow = this.next!
    if (flow.event === 'started') {
      this.begin(flow, now)
      return NO_SLOT
    }
    flow.remaining = 0
    flow.rate = 0
    flow.event = undefined
    if (flow.offered < flow.bytes) {
      this.reshare(now)
      return NO_SLOT
    }
    for (const link of flow.links) link.bytesDone += flow.bytes
    this.remove(flow, now)
    return flow.slot
  }

  cancel(slot: number, now: Time): boolean {
    const flow = this.flows.find((one) => one.slot === slot)
    if (flow !== undefined) this.remove(flow, now)
    return true
  }

  view(): LinkView[] {
    return this.links.map((link) => {
      const flows = this.flows.filter((flow) => flow.links.includes(link))
      return {
        kind: link.kind,
        ...(link.kind === 'spine' ? {} : { replica: link.replica }),
        bytesPerSecond: link.bytesPerSecond,
        bytesPerSecondNow: flows.reduce((sum, flow) => sum + flow.rate, 0),
        active: flows.length,
        queued: 0,
        bytesDone: link.bytesDone,
      }
    })
  }

  private link(kind: LinkView['kind'], replica: number, bytesPerSecond: number): FabricLink {
    const known = this.byReplica[kind][replica]
    if (known !== undefined) return known
    const link: FabricLink = { kind, replica, bytesPerSecond, left: 0, open: 0, rank: 0, bytesDone: 0 }
    this.byReplica[kind][replica] = link
    this.links.push(link)
    this.links.sort(inOrder)
    for (const [rank, one] of this.links.entries()) one.rank = rank
    return link
  }

  /** The flow has bytes to send from now on. */
  private begin(flow: Flow, now: Time): void {
    copyTime(flow.anchor, now)
    copyTime(flow.at, now)
    flow.event = flow.remaining > 0 || flow.offered === flow.bytes ? 'drained' : undefined
    this.reshare(now)
  }

  private remove(flow: Flow, now: Time): void {
    const flows = this.flows
    for (let at = flows.indexOf(flow) + 1; at < flows.length; at++) flows[at - 1] = flows[at]!
    flows.pop()
    this.reshare(now)
  }

  /** Flows came or went: those whose share is another one are anchored anew. */
  private reshare(now: Time): void {
    const flowing = emptied(this.flowing)
    for (const flow of this.flows) if (flow.event === 'drained') flowing.push(flow)
    shareFairly(flowing)
    for (const flow of flowing) {
      if (flow.share === flow.rate) continue
      this.anchor(flow, now)
      flow.rate = flow.share
      this.foresee(flow)
    }
    this.findNext()
  }

  /** Accounts what was sent since the anchor. */
  private anchor(flow: Flow, now: Time): void {
    const sent = flow.rate * (ticksBetween(now, flow.anchor) * SECONDS_PER_TICK)
    flow.remaining = Math.max(0, flow.remaining - sent)
    copyTime(flow.anchor, now)
  }

  private foresee(flow: Flow): void {
    addSeconds(copyTime(flow.at, flow.anchor), flow.remaining / flow.rate)
  }

  private findNext(): void {
    let next: Flow | undefined
    for (const flow of this.flows) {
      if (flow.event === undefined) continue
      if (next === undefined || compareTime(flow.at, next.at) < 0) next = flow
    }
    this.next = next
  }
}

import { addSeconds } from '@windtunnel/des'
import type { TransferConfig } from '../../src/index.ts'
import type { ReferenceRequest } from './referenceRequest.ts'
import { ticksOf, timeOf } from './referenceTime.ts'

type Told<Request> = (request: Request, bytes: number, now: bigint) => void

interface Pending<Request> {
  time: bigint
  rank: number
  /** Returns the request whose transfer has ended, if one has. */
  run: (now: bigint) => Request | undefined
}

export interface ReferenceLinks<Request extends ReferenceRequest> {
  request(request: Request, bytes: number, offered: number, now: bigint): void
  offer(request: Request, offered: number, now: bigint): void
  cancel(request: Request, now: bigint): boolean
  pending(): Pending<Request>[]
}

const after = (now: bigint, duration: number): bigint => ticksOf(addSeconds(timeOf(now), duration))

/** A queue for each prefill replica. */
export class ReferenceSerialLinks<Request extends ReferenceRequest> implements ReferenceLinks<Request> {
  #transfer: TransferConfig | undefined
  #told: Told<Request>
  #queues = new Map<number, { request: Request; bytes: number; end: bigint | undefined; rank: number }[]>()
  #started = 0

  constructor(transfer: TransferConfig | undefined, told: Told<Request>) {
    this.#transfer = transfer
    this.#told = told
  }

  request(request: Request, bytes: number, _offered: number, now: bigint): void {
    const queue = this.#queues.get(request.source) ?? []
    this.#queues.set(request.source, queue)
    queue.push({ request, bytes, end: undefined, rank: 0 })
    if (queue.length === 1) this.#start(request.source, now)
  }

  offer(): void {}

  cancel(request: Request): boolean {
    for (const queue of this.#queues.values()) {
      const at = queue.findIndex((one) => one.request === request)
      if (at < 0) continue
      if (queue[at]!.end !== undefined) return false
      queue.splice(at, 1)
    }
    return true
  }

  pending(): Pending<Request>[] {
    return [...this.#queues].flatMap(([source, [head]]) =>
      head?.end === undefined
        ? []
        : [
            {
              time: head.end,
              rank: head.rank,
              run: (now) => {
                this.#queues.get(source)!.shift()
                this.#start(source, now)
                return head.request
              },
            },
          ],
    )
  }

  #start(source: number, now: bigint): void {
    const head = this.#queues.get(source)![0]
    if (head === undefined) return
    const { latencySeconds, bytesPerSecond } = this.#transfer!
    head.end = after(now, latencySeconds + head.bytes / bytesPerSecond)
    head.rank = this.#started++
    this.#told(head.request, head.bytes, now)
  }
}

interface Flow<Request> {
  request: Request
  names: string[]
  bytes: number
  offered: number
  remaining: number
  rate: number
  anchor: bigint
  /** End of the start-up time. */
  starts: bigint | undefined
  ends: bigint | undefined
  rank: number
}

/** Max-min fair flows: shares are computed anew for everybody whenever anything changes. */
export class ReferenceFairLinks<Request extends ReferenceRequest> implements ReferenceLinks<Request> {
  #transfer: TransferConfig
  #told: Told<Request>
  #flows: Flow<Request>[] = []
  #asked = 0

  constructor(transfer: TransferConfig, told: Told<Request>) {
    this.#transfer = transfer
    this.#told = told
  }

  request(request: Request, bytes: number, offered: number, now: bigint): void {
    const names = [`1 out ${request.source}`, `2 in ${request.target}`]
    if (this.#transfer.spineBytesPerSecond !== undefined) names.push('3 spine')
    const starts = after(now, this.#transfer.latencySeconds)
    const rank = this.#asked++
    this.#flows.push({
      request,
      names,
      bytes,
      offered,
      remaining: offered,
      rate: 0,
      anchor: now,
      starts,
      ends: undefined,
      rank,
    })
    this.#told(request, bytes, now)
  }

  offer(request: Request, offered: number, now: bigint): void {
    const flow = this.#flows.find((one) => one.request === request)
    if (flow === undefined || offered <= flow.offered) return
    const more = offered - flow.offered
    flow.offered = offered
    if (flow.rate > 0) this.#anchor(flow, now)
    flow.remaining += more
    if (flow.starts !== undefined) return
    if (flow.rate > 0) flow.ends = after(now, flow.remaining / flow.rate)
    else this.#share(now)
  }

  cancel(request: Request, now: bigint): boolean {
    this.#flows = this.#flows.filter((flow) => flow.request !== request)
    this.#share(now)
    return true
  }

  pending(): Pending<Request>[] {
    return this.#flows.flatMap((flow) => {
      const time = flow.starts ?? flow.ends
      return time === undefined ? [] : [{ time, rank: flow.rank, run: (now: bigint) => this.#happen(flow, now) }]
    })
  }

  #happen(flow: Flow<Request>, now: bigint): Request | undefined {
    if (flow.starts !== undefined) {
      flow.starts = undefined
      flow.anchor = now
      this.#share(now)
      return undefined
    }
    flow.ends = undefined
    flow.rate = 0
    flow.remaining = 0
    const done = flow.offered === flow.bytes
    if (done) this.#flows.splice(this.#flows.indexOf(flow), 1)
    this.#share(now)
    return done ? flow.request : undefined
  }

  #anchor(flow: Flow<Request>, now: bigint): void {
    flow.remaining = Math.max(0, flow.remaining - flow.rate * (Number(now - flow.anchor) / 2 ** 44))
    flow.anchor = now
  }

  #capacity(name: string): number {
    const { bytesPerSecond, ingressBytesPerSecond, spineBytesPerSecond } = this.#transfer
    if (name.includes('spine')) return spineBytesPerSecond!
    return name.includes('in') ? (ingressBytesPerSecond ?? bytesPerSecond) : bytesPerSecond
  }

  #share(now: bigint): void {
    const moving = this.#flows.filter(
      (flow) =>
        flow.starts === undefined && (flow.remaining > 0 || flow.offered === flow.bytes || flow.ends !== undefined),
    )
    const left = new Map<string, number>()
    for (const flow of moving) for (const name of flow.names) left.set(name, this.#capacity(name))
    const shares = new Map<Flow<Request>, number>()
    const openOn = (name: string): Flow<Request>[] =>
      moving.filter((flow) => !shares.has(flow) && flow.names.includes(name))
    const order = [...left.keys()].sort((a, b) => a.localeCompare(b, 'en', { numeric: true }))
    while (shares.size < moving.length) {
      const open = order.filter((name) => openOn(name).length > 0)
      const part = (name: string): number => left.get(name)! / openOn(name).length
      const tightest = open.reduce((best, name) => (part(name) < part(best) ? name : best))
      const share = part(tightest)
      for (const flow of openOn(tightest)) {
        shares.set(flow, share)
        for (const name of flow.names) left.set(name, left.get(name)! - share)
      }
    }
    for (const [flow, share] of shares) {
      if (share === flow.rate) continue
      this.#anchor(flow, now)
      flow.rate = share
    }
    for (const [flow] of shares) {
      if (flow.anchor === now) flow.ends = after(now, flow.remaining / flow.rate)
    }
  }
}

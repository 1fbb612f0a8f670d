import { SilentObserver } from '@windtunnel/orchestrator/observer'

export interface RunProbeResult {
  /** Equal for two runs exactly if they were asked the same: arrival times, lengths, classes, tenants. */
  readonly trafficHash: string
  /** Busy time of the busiest replica over the mean of its pool, for the pool where that is largest; undefined where nothing ran. */
  readonly imbalance: number | undefined
}

/** Watches what a comparison wants to know of a run beside its summary. */
export class RunProbe extends SilentObserver {
  readonly #poolOf: (replica: number) => string
  readonly #busySeconds: number[] = []
  readonly #bits = new DataView(new ArrayBuffer(8))
  #left = 0x9e3779b9
  #right = 0x7f4a7c15

  /** `pools` are the replicas of the fleet at the start, in order. */
  constructor(pools: readonly { readonly name: string; readonly replicas: number }[]) {
    super()
    const names = pools.flatMap((pool) => Array.from({ length: pool.replicas }, () => pool.name))
    for (const _ of names) this.#busySeconds.push(0)
    this.#poolOf = (replica) => names[replica] ?? 'added'
  }

  override arrived(
    _request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    for (const value of [time, inputTokens, outputTokens, serviceClass, tenant]) this.#take(value)
  }

  override stepped(replica: number, start: number, end: number): void {
    this.#busySeconds[replica] = (this.#busySeconds[replica] ?? 0) + end - start
  }

  result(): RunProbeResult {
    const words = [this.#left, this.#right].map((word) => (word >>> 0).toString(16).padStart(8, '0'))
    return { trafficHash: words.join(''), imbalance: this.#imbalance() }
  }

  #take(value: number): void {
    this.#bits.setFloat64(0, value)
    const high = this.#bits.getInt32(0)
    const low = this.#bits.getInt32(4)
    this.#left = Math.imul(this.#left ^ high, 0x85ebca6b) ^ (this.#right >>> 13)
    this.#right = Math.imul(this.#right ^ low, 0xc2b2ae35) ^ (this.#left >>> 15)
  }

  #imbalance(): number | undefined {
    const pools = new Map<string, number[]>()
    for (const [replica, seconds] of this.#busySeconds.entries()) {
      const name = this.#poolOf(replica)
      pools.set(name, [...(pools.get(name) ?? []), seconds])
    }
    const ratios = [...pools.values()]
      .map((busy) => ({ most: Math.max(...busy), mean: busy.reduce((sum, one) => sum + one, 0) / busy.length }))
      .filter(({ mean }) => mean > 0)
      .map(({ most, mean }) => most / mean)
    return ratios.length === 0 ? undefined : Math.max(...ratios)
  }
}

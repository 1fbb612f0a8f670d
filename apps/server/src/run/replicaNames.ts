import type { ReplicaView } from '@windtunnel/orchestrator'

/** Names replicas for people: the pool and a number within it, from 1, never used again. */
export class ReplicaNames {
  readonly #names = new Map<number, string>()
  readonly #pools = new Map<number, string>()
  readonly #counts = new Map<string, number>()

  nameOf(view: ReplicaView): string {
    const known = this.#names.get(view.replica)
    if (known !== undefined) return known
    const number = (this.#counts.get(view.pool) ?? 0) + 1
    const name = `${view.pool}-${number}`
    this.#counts.set(view.pool, number)
    this.#names.set(view.replica, name)
    this.#pools.set(view.replica, view.pool)
    return name
  }

  /** Name of a replica seen before; its number when it never was. */
  known(replica: number): string {
    return this.#names.get(replica) ?? `replica ${replica}`
  }

  poolOf(replica: number): string | undefined {
    return this.#pools.get(replica)
  }
}

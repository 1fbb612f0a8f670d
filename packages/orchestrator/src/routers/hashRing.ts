import { mix } from './hash.ts'
import type { RouterView } from './router.ts'

const POINTS = 64

/** Replicas as points on a ring of hashes: when one comes or goes, only its own share of the keys moves. */
export class HashRing {
  private version = Number.NaN
  private hashes = new Uint32Array(0)
  private candidates = new Int32Array(0)

  /**
   * The first candidate clockwise from `key` that has room: with `loadFactor` c none may hold more than c times the mean
   * of the requests outstanding, this one included (consistent hashing with bounded loads; Mirrokni, Thorup, Zadimoghaddam).
   */
  find(key: number, view: RouterView, loadFactor: number): number {
    if (view.version !== this.version || this.candidates.length !== view.count * POINTS) this.build(view)
    const room = Math.ceil((loadFactor * (totalRequests(view) + 1)) / view.count)
    const start = this.firstFrom(mix(key, 0x5bd1e995))
    for (let i = 0; i < this.candidates.length; i++) {
      const candidate = this.candidates[(start + i) % this.candidates.length]!
      const load = view.outstandingRequests(candidate)
      view.trace?.scored(candidate, load)
      if (load < room) {
        view.trace?.because(`hash of ${key}, first from there with fewer than ${room} requests`)
        return candidate
      }
    }
    return this.candidates[start % this.candidates.length]!
  }

  private build(view: RouterView): void {
    this.version = view.version
    const points: { hash: number; replica: number; candidate: number }[] = []
    for (let candidate = 0; candidate < view.count; candidate++) {
      const replica = view.replicaAt(candidate)
      for (let point = 0; point < POINTS; point++)
        points.push({ hash: mix(replica + 1, point + 1), replica, candidate })
    }
    points.sort((a, b) => a.hash - b.hash || a.replica - b.replica)
    this.hashes = Uint32Array.from(points, ({ hash }) => hash)
    this.candidates = Int32Array.from(points, ({ candidate }) => candidate)
  }

  /** Index of the first point at or after `hash`. */
  private firstFrom(hash: number): number {
    let low = 0
    let high = this.hashes.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.hashes[middle]! < hash) low = middle + 1
      else high = middle
    }
    return low
  }
}

const totalRequests = (view: RouterView): number => {
  if (view.index !== undefined) return view.index.totalRequests
  let total = 0
  for (let candidate = 0; candidate < view.count; candidate++) total += view.outstandingRequests(candidate)
  return total
}

import type { SimulationView } from '@windtunnel/orchestrator'
import type { LinkFrame } from '@windtunnel/protocol'
import type { FrameSources } from './frameBuilder.ts'

/** One entry for every pair of a prefill and a generate pool. */
export function linkFrames(sources: FrameSources, windowSeconds: number, view: SimulationView): LinkFrame[] {
  const { prepared, transfers, names } = sources
  const senders = prepared.facts.pools.filter((pool) => pool.role === 'prefill')
  const receivers = prepared.facts.pools.filter((pool) => pool.role === 'generate')
  if (senders.length === 0 || receivers.length === 0) return []
  const bytes = new Map<string, number>()
  transfers.forEach(windowSeconds, view.time, (from, to, moved) => {
    const key = `${names.poolOf(from) ?? ''} to ${names.poolOf(to) ?? ''}`
    bytes.set(key, (bytes.get(key) ?? 0) + moved)
  })
  const active = new Map<string, number>()
  for (const replica of view.replicas) active.set(replica.pool, (active.get(replica.pool) ?? 0) + replica.transferring)
  return senders.flatMap((from) =>
    receivers.map((to) => {
      const name = `${from.name} to ${to.name}`
      const bytesPerSecond = windowSeconds > 0 ? (bytes.get(name) ?? 0) / windowSeconds : 0
      const capacity = prepared.linkBytesPerSecond?.(from.name, to.name)
      return {
        name,
        from: from.name,
        to: to.name,
        bytesPerSecond,
        ...(capacity === undefined ? {} : { utilisation: Math.min(1, bytesPerSecond / capacity) }),
        active: active.get(to.name) ?? 0,
      }
    }),
  )
}

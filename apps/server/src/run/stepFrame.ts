import { emptyBatch } from '@windtunnel/cost'
import type { ReplicaView } from '@windtunnel/orchestrator'
import type { StepFrame } from '@windtunnel/protocol'
import type { PreparedRun } from './preparedRun.ts'

const batch = emptyBatch()

/** The replica with the most sequences among those that generate; undefined when none is running anything. */
export function busiestGenerator(replicas: readonly ReplicaView[]): ReplicaView | undefined {
  let busiest: ReplicaView | undefined
  for (const view of replicas) {
    if (view.role === 'prefill' || view.running === 0 || view.contextTokens <= 0) continue
    if (busiest === undefined || view.running > busiest.running) busiest = view
  }
  return busiest
}

/** Where a decode step of the busiest generate replica goes now. Undefined when nothing generates or no cost is known. */
export function stepFrame(prepared: PreparedRun, replicas: readonly ReplicaView[]): StepFrame | undefined {
  const view = busiestGenerator(replicas)
  const cost = view === undefined ? undefined : prepared.pools.get(view.pool)?.stepCost
  if (view === undefined || cost === undefined) return undefined
  batch.decodeSequences = view.running
  batch.decodeContextTokens = view.contextTokens
  batch.decodeWindowTokens = view.contextTokens
  const { weights, kv, compute, collectives, host } = cost.breakdown(batch)
  const seconds = weights + kv + compute + collectives + host
  return { replica: view.replica, seconds, weights, kv, compute, collectives, host }
}

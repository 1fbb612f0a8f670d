import { type Time, toSeconds } from '@windtunnel/des'
import { PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import { promise } from './promises.ts'
import type { VllmState } from './vllmState.ts'

/** Keeps the KV of a preempted request on the host, where there is room. */
export const swapOut = (state: VllmState, slot: number): void => {
  const table = state.table
  const { swap } = state.options
  if (swap === undefined || table.emitted[slot] === 0) return
  const blocks = state.kv.blocksFor(table.inputTokens[slot]! + table.emitted[slot]! - 1)
  if (state.hostUsed + blocks > swap.hostBlocks) return
  table.hostBlocks[slot] = blocks
  state.hostUsed += blocks
  state.copied += blocks
}

/** Brings a request back from the host; it decodes in the step being composed. */
export const swapIn = (state: VllmState, slot: number, run: StepRun, known: number, now: Time): void => {
  const table = state.table
  const { observer } = state.context.facts
  state.waiting.remove(slot)
  state.waiting.admitted?.(slot)
  state.list.append(slot)
  state.running += 1
  promise(state, slot)
  state.copied += table.hostBlocks[slot]!
  leaveHost(state, slot)
  table.computed[slot] = known - 1
  state.kv.allocate(slot, state.kv.blocksFor(known - 1))
  state.kv.commit(slot, known - 1, 'step')
  observer.admitted(table.id[slot]!, toSeconds(now), state.context.replica, known - 1, known, table.preemptions[slot]!)
  table.phase[slot] = PHASE.decode
  const emitted = table.emitted[slot]!
  state.group.join(slot, known - 1, emitted, table.outputTokens[slot]! - emitted)
  run.irregular.push(slot)
}

export const leaveHost = (state: VllmState, slot: number): void => {
  state.hostUsed -= state.table.hostBlocks[slot]!
  state.table.hostBlocks[slot] = 0
}

import { emptied } from '../../emptied.ts'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import type { VllmState } from './vllmState.ts'

/** Async scheduling: requests whose last allowed token is in flight are not scheduled again. */
export const foreseeEndings = (state: VllmState): void => {
  const table = state.table
  const group = state.group
  for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) {
    if (table.phase[slot] !== PHASE.decode) continue
    if (table.endsEarly[slot] === 1) {
      state.ghostly = true
      continue
    }
    group.leaveSums(slot)
    setLeaving(state, slot)
  }
}

export const setLeaving = (state: VllmState, slot: number): void => {
  state.table.phase[slot] = PHASE.leaving
  state.list.remove(slot)
}

/** Prompts completed by the last composed step, and caches that were transferred, decode from the next step on. */
export const joinDecode = (state: VllmState, run: StepRun): void => {
  const table = state.table
  const from = state.joinFrom
  state.joinFrom = undefined
  emptied(run.irregular)
  for (let i = 0; from !== undefined && i < from.chunkCount; i++) {
    const chunk = from.chunks[i]!
    if (!chunk.completes || chunk.slot === NO_SLOT) continue
    const slot = chunk.slot
    const emitted = table.emitted[slot]! + (from === state.current ? 1 : 0)
    const remaining = table.outputTokens[slot]! - emitted
    const foreseen = remaining === 0 && table.endsEarly[slot] === 0
    if (foreseen || state.context.prefillOnly) {
      table.joinStep[slot] = Number.POSITIVE_INFINITY
      setLeaving(state, slot)
      continue
    }
    table.phase[slot] = PHASE.decode
    state.group.join(slot, table.computed[slot]!, emitted, remaining)
    if (remaining === 0) state.ghostly = true
  }
  if (state.inserted.length > 0) joinInserted(state, run)
}

export const joinInserted = (state: VllmState, run: StepRun): void => {
  const table = state.table
  for (const slot of state.inserted) {
    state.list.append(slot)
    const emitted = table.emitted[slot]!
    state.group.join(slot, table.computed[slot]!, emitted, table.outputTokens[slot]! - emitted)
    run.irregular.push(slot)
  }
  emptied(state.inserted)
}

import type { Time } from '@windtunnel/des'
import { StepRun } from '../stepRun.ts'

/**
 * Steps of an SGLang replica: a prefill batch (one step), decode steps, or a mixed step. Running requests wait while a
 * prefill batch runs, so the first decode step after it closes gaps that began with the decode step before it.
 */
export class SglangRun extends StepRun {
  /** Sequences whose first gap here began at `stretchStart`, and by how many ticks it is longer than the step. */
  stretched = 0
  stretchTicks = 0
  readonly stretchStart: Time = { seconds: 0, ticks: 0 }
  /** Of the sequences dropped in a run of one step, those that are among the stretched ones. */
  droppedStretched = 0

  clear(): void {
    this.sequences = 0
    this.ghosts = 0
    this.contextTokens = 0
    this.chunkCount = 0
    this.prefillTokens = 0
    this.irregular.length = 0
    this.droppedInLast = 0
    this.droppedStretched = 0
    this.stretched = 0
    this.stretchTicks = 0
    this.reported = 0
    this.steps = 1
    this.growthTicks = 0
  }

  addChunk(slot: number, tokens: number, context: number, completes: boolean): void {
    const at = this.chunkCount++
    this.prefillTokens += tokens
    const chunk = this.chunks[at]
    if (chunk === undefined) this.chunks.push({ slot, tokens, context, completes })
    else Object.assign(chunk, { slot, tokens, context, completes })
  }
}

import type { MeasuredWindow } from '../summary/measuredWindow.ts'
import type { ReplicaProfile } from './replicaProfile.ts'

/**
 * What the steps of a run add up to: time, FLOPs, bytes. A step that reaches over an edge of the window counts with the
 * share of its time that lies within.
 */
export class StepTotals {
  busySeconds = 0
  /** Busy seconds times accelerators times their rated power. */
  joules = 0
  flops = 0
  bytes = 0
  /** Peak of the engine times its busy seconds. */
  flopsPossible = 0
  bytesPossible = 0
  /** Sequences times seconds, and context over capacity times seconds. */
  sequenceSeconds = 0
  contextShareSeconds = 0
  readonly #window: MeasuredWindow

  constructor(window: MeasuredWindow) {
    this.#window = window
  }

  stepped(
    profile: ReplicaProfile,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
  ): void {
    const seconds = Math.min(end, this.#window.untilSeconds) - Math.max(start, this.#window.fromSeconds)
    if (seconds <= 0) return
    const share = seconds / (end - start)
    this.busySeconds += seconds
    this.joules += (seconds * profile.accelerators * (profile.wattsPerAccelerator ?? 0)) / profile.engines
    // Every step adds a token to each sequence.
    const meanContext = contextTokens + (sequences * (steps - 1)) / 2
    this.sequenceSeconds += seconds * sequences
    if (profile.keyValueTokens > 0) this.contextShareSeconds += (seconds * meanContext) / profile.keyValueTokens
    const { work } = profile
    if (work === undefined) return
    const tokens = sequences + prefillTokens
    const counted = steps * share
    this.flopsPossible += seconds * work.peakFlopsPerSecond
    this.bytesPossible += seconds * work.memoryBytesPerSecond
    this.flops += counted * tokens * work.weightFlopsPerToken
    this.bytes += counted * work.weightBytes(tokens)
    if (sequences === 0) return
    for (const { windowTokens, flopsPerPair, keyValueBytes } of work.attention) {
      const seen = windowTokens === undefined ? meanContext : Math.min(meanContext, windowTokens * sequences)
      this.flops += counted * seen * flopsPerPair
      this.bytes += counted * seen * keyValueBytes
    }
  }

  /** Attention of a prefill chunk: token i of it sees the context and i + 1 of the chunk, cut at the window. */
  chunk(profile: ReplicaProfile, time: number, tokens: number, context: number): void {
    if (profile.work === undefined || time < this.#window.fromSeconds || time >= this.#window.untilSeconds) return
    for (const { windowTokens, flopsPerPair, keyValueBytes } of profile.work.attention) {
      this.flops += pairsSeen(tokens, context, windowTokens) * flopsPerPair
      const read = windowTokens === undefined ? context + tokens : Math.min(context, windowTokens) + tokens
      this.bytes += read * keyValueBytes
    }
  }
}

/** Query-key pairs of `tokens` new tokens after `context` earlier ones, each seeing at most `windowTokens`. */
export function pairsSeen(tokens: number, context: number, windowTokens: number | undefined): number {
  const all = tokens * context + (tokens * (tokens + 1)) / 2
  if (windowTokens === undefined || context + tokens <= windowTokens) return all
  const growing = Math.max(0, Math.min(tokens, windowTokens - context))
  return growing * context + (growing * (growing + 1)) / 2 + (tokens - growing) * windowTokens
}

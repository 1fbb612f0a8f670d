import type { MeasuredWindow } from '../summary/measuredWindow.ts'
import type { ReplicaProfile } from './replicaProfile.ts'

/** What steps add up to: time, FLOPs, bytes. */
export interface StepSums {
  busySeconds: number
  /** Busy seconds times accelerators times their rated power. */
  joules: number
  flops: number
  bytes: number
  /** Peak of the engine times its busy seconds. */
  flopsPossible: number
  bytesPossible: number
  /** Sequences times seconds, and context over capacity times seconds. */
  sequenceSeconds: number
  contextShareSeconds: number
}

const noSteps = (): StepSums => ({
  busySeconds: 0,
  joules: 0,
  flops: 0,
  bytes: 0,
  flopsPossible: 0,
  bytesPossible: 0,
  sequenceSeconds: 0,
  contextShareSeconds: 0,
})

/** Steps of one replica of which each follows the one before at once, with the same requests. */
interface Stretch {
  start: number
  end: number
  steps: number
  sequences: number
  prefillTokens: number
  contextTokens: number
  contextGrowth: number
}

interface ReplicaSteps {
  readonly profile: ReplicaProfile
  readonly sums: StepSums
  /** Steps without decoding, which engines of several threads tell between pieces of others. */
  readonly prefills: StepSums
  /** Attention of prefill chunks, which is told earlier than the steps around it. */
  readonly chunks: { flops: number; bytes: number }
  /** Told, and not in the sums yet: it may go on. */
  open: Stretch | undefined
}

/**
 * What the steps of a run add up to, replica by replica. A stretch that reaches over an edge of the window counts with the
 * share of its time that lies within. Steps that are told in pieces, because somebody looked at the run meanwhile, are put
 * together again, so that looking changes no figure.
 */
export class StepTotals {
  readonly #window: MeasuredWindow
  readonly #profileOf: (replica: number) => ReplicaProfile
  readonly #replicas: ReplicaSteps[] = []

  constructor(window: MeasuredWindow, profileOf: (replica: number) => ReplicaProfile) {
    this.#window = window
    this.#profileOf = profileOf
  }

  stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
    contextGrowth: number,
  ): void {
    const of = this.#of(replica)
    const told: Stretch = { start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth }
    if (sequences === 0) {
      this.#add(of.profile, told, of.prefills)
      return
    }
    const open = of.open
    if (
      open !== undefined &&
      open.end === start &&
      open.sequences === sequences &&
      open.prefillTokens === 0 &&
      prefillTokens === 0 &&
      open.contextGrowth === contextGrowth &&
      open.contextTokens + open.steps * contextGrowth === contextTokens
    ) {
      open.end = end
      open.steps += steps
      return
    }
    if (open !== undefined) this.#add(of.profile, open, of.sums)
    of.open = told
  }

  /** Attention of a prefill chunk: token i of it sees the context and i + 1 of the chunk, cut at the window. */
  chunk(replica: number, time: number, tokens: number, context: number): void {
    const { profile, chunks } = this.#of(replica)
    if (profile.work === undefined || time < this.#window.fromSeconds || time >= this.#window.untilSeconds) return
    for (const { windowTokens, flopsPerPair, keyValueBytes } of profile.work.attention) {
      chunks.flops += pairsSeen(tokens, context, windowTokens) * flopsPerPair
      const read = windowTokens === undefined ? context + tokens : Math.min(context, windowTokens) + tokens
      chunks.bytes += read * keyValueBytes
    }
  }

  /** The sums over all replicas, of what was told so far. */
  get sums(): StepSums {
    const all = noSteps()
    for (const of of this.#replicas) {
      if (of === undefined) continue
      const sums = { ...of.sums }
      if (of.open !== undefined) this.#add(of.profile, of.open, sums)
      sums.flops += of.chunks.flops
      sums.bytes += of.chunks.bytes
      for (const figure of Object.keys(all) as (keyof StepSums)[]) all[figure] += sums[figure] + of.prefills[figure]
    }
    return all
  }

  #of(replica: number): ReplicaSteps {
    let of = this.#replicas[replica]
    if (of === undefined) {
      of = {
        profile: this.#profileOf(replica),
        sums: noSteps(),
        prefills: noSteps(),
        chunks: { flops: 0, bytes: 0 },
        open: undefined,
      }
      this.#replicas[replica] = of
    }
    return of
  }

  #add(profile: ReplicaProfile, stretch: Stretch, sums: StepSums): void {
    const { start, end, steps, sequences, prefillTokens, contextTokens, contextGrowth } = stretch
    const seconds = Math.min(end, this.#window.untilSeconds) - Math.max(start, this.#window.fromSeconds)
    if (seconds <= 0) return
    const share = seconds / (end - start)
    sums.busySeconds += seconds
    sums.joules += (seconds * profile.accelerators * (profile.wattsPerAccelerator ?? 0)) / profile.engines
    const meanContext = contextTokens + (contextGrowth * (steps - 1)) / 2
    sums.sequenceSeconds += seconds * sequences
    if (profile.keyValueTokens > 0) sums.contextShareSeconds += (seconds * meanContext) / profile.keyValueTokens
    const { work } = profile
    if (work === undefined) return
    const tokens = sequences + prefillTokens
    const counted = steps * share
    sums.flopsPossible += seconds * work.peakFlopsPerSecond
    sums.bytesPossible += seconds * work.memoryBytesPerSecond
    sums.flops += counted * tokens * work.weightFlopsPerToken
    sums.bytes += counted * work.weightBytes(tokens)
    if (sequences === 0) return
    for (const { windowTokens, flopsPerPair, keyValueBytes } of work.attention) {
      const seen = windowTokens === undefined ? meanContext : Math.min(meanContext, windowTokens * sequences)
      sums.flops += counted * seen * flopsPerPair
      sums.bytes += counted * seen * keyValueBytes
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

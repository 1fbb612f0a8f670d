import { type DecodePiece, emptyBatch, type StepBatch, type StepBreakdown, type StepCost } from './stepCost.ts'
import { emptyBreakdown, type StepTerms, totalOf } from './stepTerms.ts'

const LARGEST_MEMO = 1 << 20

const COLUMNS = 7

/** Durations by a whole number from 0; 0 marks what was not computed yet (every duration is above 0). */
class Durations {
  private entries = new Float64Array(64)
  private readonly compute: (index: number) => number

  constructor(compute: (index: number) => number) {
    this.compute = compute
  }

  at(index: number): number {
    const known = index < this.entries.length ? this.entries[index]! : 0
    return known > 0 ? known : this.missing(index)
  }

  private missing(index: number): number {
    if (index >= LARGEST_MEMO) return this.compute(index)
    if (index >= this.entries.length) this.grow(index)
    const computed = this.compute(index)
    this.entries[index] = computed
    return computed
  }

  private grow(index: number): void {
    let length = this.entries.length
    while (length <= index) length *= 2
    const grown = new Float64Array(length)
    grown.set(this.entries)
    this.entries = grown
  }
}

const pieceOf = (): DecodePiece => ({
  baseSeconds: 0,
  slopeSeconds: 0,
  windowSlopeSeconds: 0,
  validUntilContextTokens: 0,
})

/**
 * A step cost made of operator terms: memoises what depends on tokens, samples and sequences alone, so that a decode
 * piece is a table look-up, and so is a mixed step with one whole prompt; with several chunks, or a later part of a prompt,
 * it costs its prefill attention. Nothing is allocated once a size was seen.
 */
export class OperatorStepCost implements StepCost {
  readonly backend: string
  readonly extrapolations: readonly string[]
  private readonly terms: StepTerms
  private readonly tokenSeconds: Durations
  private readonly sampleSeconds: Durations
  /** Attention of one whole prompt by its tokens, in a step without and with decoding sequences. */
  private readonly promptAlone: Durations
  private readonly promptAlongDecode: Durations
  /** A row for every count of sequences; see computeDecode for its columns. */
  private decode = new Float64Array(COLUMNS * 64)
  private readonly scratch = emptyBreakdown()
  private readonly piece = pieceOf()

  constructor(backend: string, terms: StepTerms, extrapolations: readonly string[]) {
    this.backend = backend
    this.terms = terms
    this.extrapolations = extrapolations
    this.tokenSeconds = new Durations((tokens) => {
      const parts = this.cleared()
      terms.addTokens(tokens, parts)
      return totalOf(parts)
    })
    this.sampleSeconds = new Durations((samples) => {
      const parts = this.cleared()
      terms.addSamples(samples, parts)
      return totalOf(parts)
    })
    const prompt = { ...emptyBatch(), chunkCount: 1, chunkTokens: [0], chunkContext: [0] }
    const promptSeconds = (alongDecode: boolean) =>
      new Durations((tokens) => {
        prompt.chunkTokens[0] = tokens
        return this.chunkSeconds(prompt, alongDecode)
      })
    this.promptAlone = promptSeconds(false)
    this.promptAlongDecode = promptSeconds(true)
  }

  seconds(batch: StepBatch): number {
    const sequences = batch.decodeSequences
    if (batch.chunkCount === 0) return sequences === 0 ? 0 : this.decodeSeconds(batch)
    let accelerator = this.prefillAttentionSeconds(batch, sequences > 0)
    const tokens = this.tokensOf(batch)
    const samples = sequences + batch.chunkSamples
    accelerator += this.tokenSeconds.at(tokens)
    if (samples > 0) accelerator += this.sampleSeconds.at(samples)
    if (sequences > 0) accelerator += this.decodeAttentionSeconds(batch)
    const floor = this.terms.floorSeconds(tokens)
    return Math.max(accelerator, floor) + this.terms.hostSeconds(samples, true, sequences > 0)
  }

  decodePiece(sequences: number, contextTokens: number, into: DecodePiece): DecodePiece {
    const at = this.decodeRow(sequences)
    const decode = this.decode
    const threshold = decode[at + 3]!
    into.slopeSeconds = decode[at + 1]!
    into.windowSlopeSeconds = decode[at + 2]!
    if (contextTokens <= threshold) {
      into.baseSeconds = decode[at]!
      into.validUntilContextTokens = threshold
    } else {
      into.baseSeconds = decode[at + 4]!
      into.validUntilContextTokens = Infinity
    }
    return into
  }

  breakdown(batch: StepBatch): StepBreakdown {
    const parts = emptyBreakdown()
    const sequences = batch.decodeSequences
    const hasPrefill = batch.chunkCount > 0
    if (sequences === 0 && !hasPrefill) return parts
    const tokens = this.tokensOf(batch)
    const samples = sequences + batch.chunkSamples
    this.terms.addTokens(tokens, parts)
    if (samples > 0) this.terms.addSamples(samples, parts)
    if (hasPrefill) this.terms.addPrefillAttention(batch, sequences > 0, parts)
    if (sequences > 0) parts.kv += this.decodeAttentionSeconds(batch)
    if (hasPrefill) parts.host += Math.max(0, this.terms.floorSeconds(tokens) - totalOf(parts))
    parts.host += this.terms.hostSeconds(samples, hasPrefill, sequences > 0)
    return parts
  }

  private decodeSeconds(batch: StepBatch): number {
    const piece = this.decodePiece(batch.decodeSequences, batch.decodeContextTokens, this.piece)
    return (
      piece.baseSeconds +
      piece.slopeSeconds * batch.decodeContextTokens +
      piece.windowSlopeSeconds * batch.decodeWindowTokens
    )
  }

  private prefillAttentionSeconds(batch: StepBatch, alongDecode: boolean): number {
    const wholePrompt = batch.chunkCount === 1 && batch.chunkContext[0] === 0
    if (!wholePrompt) return this.chunkSeconds(batch, alongDecode)
    return (alongDecode ? this.promptAlongDecode : this.promptAlone).at(batch.chunkTokens[0]!)
  }

  private chunkSeconds(batch: StepBatch, alongDecode: boolean): number {
    const parts = this.cleared()
    this.terms.addPrefillAttention(batch, alongDecode, parts)
    return totalOf(parts)
  }

  private decodeAttentionSeconds(batch: StepBatch): number {
    const at = this.decodeRow(batch.decodeSequences)
    const decode = this.decode
    const base = batch.decodeContextTokens > decode[at + 3]! ? decode[at + 6]! : decode[at + 5]!
    return base + decode[at + 1]! * batch.decodeContextTokens + decode[at + 2]! * batch.decodeWindowTokens
  }

  /** Where the row of `sequences` starts, computed on first use. */
  private decodeRow(sequences: number): number {
    const at = COLUMNS * sequences
    if (at >= this.decode.length || this.decode[at] === 0) this.computeDecode(sequences)
    return at
  }

  private tokensOf(batch: StepBatch): number {
    let prefill = 0
    for (let i = 0; i < batch.chunkCount; i++) prefill += batch.chunkTokens[i]!
    const ranks = this.terms.sequenceParallelRanks
    return batch.decodeSequences + (ranks === 1 ? prefill : Math.ceil(prefill / ranks))
  }

  /**
   * Columns: 0 base of the step, 1 slope, 2 window slope, 3 threshold, 4 base of the step beyond the threshold,
   * 5 base of decode attention alone, 6 the same beyond the threshold.
   */
  private computeDecode(sequences: number): void {
    const at = COLUMNS * sequences
    if (at + COLUMNS > this.decode.length) this.growDecode(at + COLUMNS)
    const attention = this.terms.decodeAttention(sequences)
    const base =
      this.tokenSeconds.at(sequences) +
      this.sampleSeconds.at(sequences) +
      attention.baseSeconds +
      this.terms.hostSeconds(sequences, false, true)
    this.decode[at] = base
    this.decode[at + 1] = attention.slopeSeconds
    this.decode[at + 2] = attention.windowSlopeSeconds
    this.decode[at + 3] = attention.thresholdContextTokens
    this.decode[at + 4] = base + attention.beyondSeconds
    this.decode[at + 5] = attention.baseSeconds
    this.decode[at + 6] = attention.baseSeconds + attention.beyondSeconds
  }

  private growDecode(needed: number): void {
    let length = this.decode.length
    while (length < needed) length *= 2
    const grown = new Float64Array(length)
    grown.set(this.decode)
    this.decode = grown
  }

  private cleared(): StepBreakdown {
    const parts = this.scratch
    parts.weights = 0
    parts.kv = 0
    parts.compute = 0
    parts.collectives = 0
    parts.host = 0
    return parts
  }
}

import { CostInputError, requirePositive } from '../costInputError.ts'
import { Curve } from './curve.ts'
import type { MeasuredSteps } from './measuredSteps.ts'
import type { DecodePiece, StepBatch, StepBreakdown, StepCost } from './stepCost.ts'

/** Curves over context (seconds), one for each measured count of sequences or tokens, counts ascending. */
interface CurveFamily {
  counts: readonly number[]
  curves: readonly Curve[]
  /** Growth from the last but one to the last count without context: what one more costs beyond the table. */
  secondsPerCountBeyond: number
}

function familyOf(
  name: 'decode' | 'prefill',
  rows: readonly { count: number; contextTokens: number; seconds: number }[],
): CurveFamily {
  if (rows.length === 0) {
    const expected = 'at least one measured step'
    throw new CostInputError({ where: 'measured step times', quantity: name, expected, found: 'none' })
  }
  const byCount = new Map<number, { x: number; y: number }[]>()
  for (const { count, contextTokens, seconds } of rows) {
    requirePositive(`measured step times, ${name}`, { count, seconds })
    const points = byCount.get(count)
    if (points === undefined) byCount.set(count, [{ x: contextTokens, y: seconds }])
    else points.push({ x: contextTokens, y: seconds })
  }
  const counts = [...byCount.keys()].sort((a, b) => a - b)
  const curves = counts.map((count) => new Curve(byCount.get(count)!))
  return { counts, curves, secondsPerCountBeyond: growthAtEnd(name, counts, curves) }
}

/** One count alone does not say: prompt tokens are computed in proportion, and more sequences decode in the same time. */
function growthAtEnd(name: 'decode' | 'prefill', counts: readonly number[], curves: readonly Curve[]): number {
  if (counts.length < 2) return name === 'decode' ? 0 : curves[0]!.segmentAt(0).base / counts[0]!
  const grown = curves.at(-1)!.segmentAt(0).base - curves.at(-2)!.segmentAt(0).base
  return Math.max(0, grown / (counts.at(-1)! - counts.at(-2)!))
}

/** A straight line and where it ends. */
interface Line {
  base: number
  slope: number
  until: number
}

/** Writes the line at `context` between the curves on both sides of `count`. */
function lineAt(family: CurveFamily, count: number, context: number, into: Line): void {
  const { counts, curves } = family
  let high = 0
  while (high < counts.length - 1 && counts[high]! < count) high++
  const above = curves[high]!.segmentAt(context)
  const apart = counts[high]! - count
  into.slope = above.slope
  into.base = above.base + Math.max(0, -apart) * family.secondsPerCountBeyond
  into.until = above.until
  if (high === 0 || apart <= 0) return
  const below = curves[high - 1]!.segmentAt(context)
  const share = apart / (counts[high]! - counts[high - 1]!)
  into.slope += share * (below.slope - above.slope)
  into.base += share * (below.base - above.base)
  into.until = Math.min(below.until, above.until)
}

/**
 * Step times by linear interpolation in a table: over context on the curve of each measured count, then between the
 * curves of the counts on both sides. Beyond the table the last piece of a curve goes on over context, more sequences or
 * tokens each cost what the last ones did (where one count alone was measured: tokens in proportion, sequences nothing), and
 * fewer than the smallest count take as long as that.
 *
 * In a mixed step the decoding sequences join the prefill as tokens, and add the part of their own curve that depends on
 * context.
 */
export function measuredStepCost(steps: MeasuredSteps): StepCost {
  return new MeasuredStepCost(
    familyOf(
      'decode',
      steps.decode.map((step) => ({ ...step, count: step.sequences })),
    ),
    familyOf(
      'prefill',
      steps.prefill.map((step) => ({ ...step, count: step.tokens })),
    ),
  )
}

class MeasuredStepCost implements StepCost {
  readonly backend = 'measured'
  readonly extrapolations: readonly string[]
  private readonly decode: CurveFamily
  private readonly prefill: CurveFamily
  private readonly line: Line = { base: 0, slope: 0, until: 0 }

  constructor(decode: CurveFamily, prefill: CurveFamily) {
    this.decode = decode
    this.prefill = prefill
    const most = `${decode.counts.at(-1)} decoding sequences and ${prefill.counts.at(-1)} prefill tokens`
    this.extrapolations = [
      `measured: straight lines beyond ${most}`,
      ...(decode.counts.length > 1
        ? []
        : ['measured: one number of sequences alone, so others decode in the same time']),
      ...(prefill.counts.length > 1
        ? []
        : ['measured: one number of prompt tokens alone, so more take time in proportion']),
    ]
  }

  seconds(batch: StepBatch): number {
    return this.fixedSeconds(batch) + this.contextSeconds(batch)
  }

  decodePiece(sequences: number, contextTokens: number, into: DecodePiece): DecodePiece {
    lineAt(this.decode, sequences, contextTokens, this.line)
    into.baseSeconds = this.line.base
    into.slopeSeconds = this.line.slope
    into.windowSlopeSeconds = 0
    into.validUntilContextTokens = this.line.until
    return into
  }

  /** A table does not say where time goes: the part that grows with decode context counts as KV, the rest as compute. */
  breakdown(batch: StepBatch): StepBreakdown {
    const compute = this.fixedSeconds(batch)
    return { weights: 0, kv: this.contextSeconds(batch), compute, collectives: 0, host: 0 }
  }

  /** The part that grows with the context of the decoding sequences. */
  private contextSeconds(batch: StepBatch): number {
    if (batch.decodeSequences === 0) return 0
    lineAt(this.decode, batch.decodeSequences, batch.decodeContextTokens, this.line)
    return this.line.slope * batch.decodeContextTokens
  }

  private fixedSeconds(batch: StepBatch): number {
    const sequences = batch.decodeSequences
    if (batch.chunkCount === 0) {
      if (sequences === 0) return 0
      lineAt(this.decode, sequences, batch.decodeContextTokens, this.line)
      return this.line.base
    }
    let tokens = sequences
    let contextTokens = 0
    for (let i = 0; i < batch.chunkCount; i++) {
      tokens += batch.chunkTokens[i]!
      contextTokens += batch.chunkContext[i]!
    }
    lineAt(this.prefill, tokens, contextTokens, this.line)
    return this.line.base + this.line.slope * contextTokens
  }
}

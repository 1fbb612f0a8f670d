import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'

/** A link as start-up time and bandwidth: a message of M bytes takes `alpha + M/B`. */
export interface AlphaBetaLink {
  /** Start-up time of one message, seconds. */
  readonly alphaSeconds: number
  /** One direction of one card, bytes/s. */
  readonly bytesPerSecond: number
}

/** One AllReduce in the alpha-beta model. */
export interface AlphaBetaTime {
  /** Messages that follow each other. */
  readonly rounds: number
  /** Bytes that one card sends in all. */
  readonly sentBytes: number
  /** Start-up of all rounds. */
  readonly startupSeconds: number
  readonly transferSeconds: number
  readonly seconds: number
}

const timed = (rounds: number, sentBytes: number, link: AlphaBetaLink): AlphaBetaTime => {
  const startupSeconds = rounds * link.alphaSeconds
  const transferSeconds = sentBytes / link.bytesPerSecond
  return { rounds, sentBytes, startupSeconds, transferSeconds, seconds: startupSeconds + transferSeconds }
}

function check(where: string, cards: number, bytes: number, link: AlphaBetaLink): void {
  requireCount(where, { cards })
  requireNonNegative(where, { bytes, alphaSeconds: link.alphaSeconds })
  requirePositive(where, { bytesPerSecond: link.bytesPerSecond })
}

/**
 * AllReduce over a ring: `2(n-1) alpha + 2(n-1) M/(n B)`, in lock-step rounds without contention. Parallelism chapter,
 * (6-9).
 */
export function ringAllReduce(cards: number, bytes: number, link: AlphaBetaLink): AlphaBetaTime {
  check('ringAllReduce', cards, bytes, link)
  const rounds = 2 * (cards - 1)
  return timed(rounds, (rounds * bytes) / cards, link)
}

/** Rounds of a binomial tree over `cards`, one way: log2. Throws CostInputError unless cards are a power of two. */
export function treeRounds(cards: number): number {
  requireCount('treeAllReduce', { cards })
  let rounds = 0
  let reached = 1
  for (; reached < cards; reached *= 2) rounds += 1
  if (reached === cards) return rounds
  throw new CostInputError({ where: 'treeAllReduce', quantity: 'cards', expected: 'a power of two', found: cards })
}

/**
 * AllReduce up and down a binomial tree, unsegmented: `2 log2 n (alpha + M/B)`. Parallelism chapter, (6-10).
 * @throws CostInputError unless cards are a power of two
 */
export function treeAllReduce(cards: number, bytes: number, link: AlphaBetaLink): AlphaBetaTime {
  check('treeAllReduce', cards, bytes, link)
  const rounds = 2 * treeRounds(cards)
  return timed(rounds, rounds * bytes, link)
}

/**
 * Bytes at which ring and tree take equally long: `(2(n-1) - 2 log2 n) alpha B / (2 log2 n - 2(n-1)/n)`; the tree is
 * faster below. 0 for two cards, where the ring is never slower. Parallelism chapter, (6-9) = (6-10).
 */
export function ringTreeCrossoverBytes(cards: number, link: AlphaBetaLink): number {
  check('ringTreeCrossoverBytes', cards, 0, link)
  const tree = 2 * treeRounds(cards)
  const ring = 2 * (cards - 1)
  return cards === 1 ? 0 : ((ring - tree) * link.alphaSeconds * link.bytesPerSecond) / (tree - ring / cards)
}

/** One measurement: an AllReduce of `bytes` over `cards` took `seconds`. */
export interface MeasuredAllReduce {
  readonly cards: number
  readonly bytes: number
  readonly seconds: number
}

/** How long one AllReduce takes: a model, one measured time, or a table of measurements. */
export type AllReduceModel =
  | { readonly kind: 'ring' | 'tree'; readonly bytes: number; readonly link: AlphaBetaLink }
  | { readonly kind: 'measured'; readonly seconds: number }
  | { readonly kind: 'table'; readonly bytes: number; readonly rows: readonly MeasuredAllReduce[] }

/** Seconds of one AllReduce over `cards`; 0 for one card, which has nothing to add up. */
export function allReduceSeconds(model: AllReduceModel, cards: number): number {
  requireCount('allReduceSeconds', { cards })
  if (cards === 1) return 0
  switch (model.kind) {
    case 'ring':
      return ringAllReduce(cards, model.bytes, model.link).seconds
    case 'tree':
      return treeAllReduce(cards, model.bytes, model.link).seconds
    case 'measured':
      return model.seconds
    case 'table':
      return measuredSeconds(model.rows, cards, model.bytes)
  }
}

/** Linear between the sizes measured for exactly that many cards. Throws CostInputError outside of what was measured. */
function measuredSeconds(rows: readonly MeasuredAllReduce[], cards: number, bytes: number): number {
  const mine = rows.filter((row) => row.cards === cards).sort((a, b) => a.bytes - b.bytes)
  const above = mine.findIndex((row) => row.bytes >= bytes)
  const after = mine[above]
  const before = after !== undefined && after.bytes > bytes ? mine[above - 1] : after
  if (after === undefined || before === undefined) {
    const sizes = mine.map((row) => row.bytes).join(', ')
    const expected = mine.length === 0 ? `to hold rows for ${cards} cards` : `to span ${bytes} bytes for ${cards} cards`
    throw new CostInputError({ where: 'allReduceSeconds', quantity: 'table', expected, found: sizes || 'none' })
  }
  if (before === after) return after.seconds
  const share = (bytes - before.bytes) / (after.bytes - before.bytes)
  return before.seconds + share * (after.seconds - before.seconds)
}

/** A model with its start-up time or bandwidth multiplied; what was measured stays as it is. */
export function scaledLink(
  model: AllReduceModel,
  factors: { readonly alpha?: number; readonly bandwidth?: number },
): AllReduceModel {
  if (model.kind !== 'ring' && model.kind !== 'tree') return model
  const { alpha = 1, bandwidth = 1 } = factors
  const { alphaSeconds, bytesPerSecond } = model.link
  return { ...model, link: { alphaSeconds: alphaSeconds * alpha, bytesPerSecond: bytesPerSecond * bandwidth } }
}

/** Start-up time inside one AllReduce, seconds; undefined where it was measured as a whole. */
export function startupSeconds(model: AllReduceModel, cards: number): number | undefined {
  if (model.kind === 'ring') return ringAllReduce(cards, model.bytes, model.link).startupSeconds
  if (model.kind === 'tree') return treeAllReduce(cards, model.bytes, model.link).startupSeconds
  return undefined
}

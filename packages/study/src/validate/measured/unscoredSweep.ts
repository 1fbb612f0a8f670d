import { type Document, isDocument, list, numberAt, textAt } from './fields.ts'

/** Points for one number of users that lie further apart than this are of unlike deployments. */
const SAME_DEPLOYMENT = 1.15

/** With more users no deployment answers so much faster than with fewer. */
const NEVER_FASTER = 0.85

interface Point {
  users: number
  tpot: number
}

/** Why a sweep says too little about its deployment to be scored, as its own points show; undefined where it says enough. */
export function unscoredSweep(sweep: Document, config: Document, use: string | undefined): string | undefined {
  if (use !== undefined && use !== 'yes') return `marked "${use}" by its source`
  const points = pointsOf(sweep)
  if (holdsTwins(points)) return 'mixes unlike deployments: one number of users with TPOT more than 15 % apart'
  if (textAt(config, 'mode') === 'disagg' && numberAt(config, 'decode_num_workers') === undefined) {
    return 'numbers of prefill and generate replicas are not stated'
  }
  if (!isPowerOfTwo(numberAt(config, 'tp_size') ?? 1)) {
    return 'its ranks are those of prefill and generate replicas together, in numbers that are not stated'
  }
  if (hastens(points)) return 'mixes unlike deployments: TPOT falls by more than 15 % where users are added'
  return undefined
}

const isPowerOfTwo = (ranks: number): boolean => Number.isInteger(Math.log2(Math.max(1, ranks)))

function pointsOf(sweep: Document): Point[] {
  return list(sweep, 'points')
    .filter(isDocument)
    .flatMap((point): Point[] => {
      const users = numberAt(point, 'concurrency')
      const tpot = numberAt(point, 'tpot_ms')
      return users === undefined || tpot === undefined ? [] : [{ users, tpot }]
    })
    .sort((a, b) => a.users - b.users || a.tpot - b.tpot)
}

function holdsTwins(points: readonly Point[]): boolean {
  const least = new Map<number, number>()
  for (const { users, tpot } of points) {
    const known = least.get(users)
    if (known === undefined) least.set(users, tpot)
    else if (tpot > SAME_DEPLOYMENT * known) return true
  }
  return false
}

function hastens(points: readonly Point[]): boolean {
  let slowest = 0
  for (const { tpot } of points) {
    if (tpot < NEVER_FASTER * slowest) return true
    slowest = Math.max(slowest, tpot)
  }
  return false
}

import type { StepCost } from '@windtunnel/cost'
import { type RandomStream, timeFromSeconds } from '@windtunnel/des'
import type { Straggler } from '../../src/index.ts'
import { pick } from './randomTraffic.ts'
import { ticksOf } from './referenceTime.ts'

/** The cost of a replica at the time that `now` says, some of whose stretches are slow. */
export function slowed(
  cost: StepCost,
  stragglers: readonly Straggler[] | undefined,
  replica: number,
  now: () => bigint,
): StepCost {
  const factor = (): number => {
    const at = (seconds: number): bigint => ticksOf(timeFromSeconds(seconds))
    const slow = (stragglers ?? []).filter(
      (one) => one.replica === replica && at(one.fromSeconds) <= now() && now() < at(one.untilSeconds),
    )
    return slow.length === 0 ? 1 : Math.max(...slow.map((one) => one.factor))
  }
  return {
    backend: cost.backend,
    extrapolations: [],
    seconds: (batch) => cost.seconds(batch) * factor(),
    decodePiece(sequences, contextTokens, into) {
      cost.decodePiece(sequences, contextTokens, into)
      into.baseSeconds *= factor()
      into.slopeSeconds *= factor()
      into.windowSlopeSeconds *= factor()
      return into
    },
    breakdown: (batch) => cost.breakdown(batch),
  }
}

/** Some slow stretches of the first `replicas` replicas, or none. */
export function randomStragglers(random: RandomStream, replicas: number, grid: boolean): Straggler[] {
  const span = pick(random, [0.05, 0.3])
  const at = (): number => (grid ? Math.round(random.uniform() * span * 1024) / 1024 : random.uniform() * span)
  return Array.from({ length: pick(random, [0, 1, 1, 3]) }, () => {
    const fromSeconds = at()
    const untilSeconds = fromSeconds + 1 / 1024 + at()
    return { replica: random.integer(replicas), fromSeconds, untilSeconds, factor: pick(random, [2, 3, 1.7, 0.5]) }
  })
}

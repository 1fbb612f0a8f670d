import { CostInputError, requireCount, requireNonNegative } from '../costInputError.ts'

/**
 * A card that fails: its instance is down for `stallSeconds` from `atSeconds`. Then the session in progress starts over
 * (`redo`) or goes on where it was (`pause`).
 */
export interface InstanceFailure {
  readonly atSeconds: number
  readonly stallSeconds: number
  /** Which instance holds the card, from 0. */
  readonly instance: number
  readonly semantics: 'redo' | 'pause'
}

/** Sessions over equal instances. */
export interface TimelineInput {
  readonly instances: number
  /** Seconds each session takes, in order; dealt to the instances in turn, served one at a time. */
  readonly sessionSeconds: readonly number[]
  readonly failure?: InstanceFailure | undefined
}

/**
 * When each session is done, all having arrived at 0. Parallelism chapter, section 6.7. Seconds, in the order of the
 * sessions.
 */
export function completionSeconds(input: TimelineInput): readonly number[] {
  const { instances, sessionSeconds, failure } = input
  requireCount('completionSeconds', { instances })
  if (failure !== undefined) checkFailure(failure, instances)
  const free = Array.from({ length: instances }, () => 0)
  return sessionSeconds.map((duration, session) => {
    const instance = session % instances
    const start = free[instance] ?? 0
    const hit = failure?.instance === instance ? failure : undefined
    const done = hit === undefined ? start + duration : doneWith(hit, start, duration)
    free[instance] = done
    return done
  })
}

/** A session that runs when the failure strikes (or would start while the instance is down). */
function doneWith(failure: InstanceFailure, start: number, duration: number): number {
  const { atSeconds, stallSeconds, semantics } = failure
  const up = atSeconds + stallSeconds
  if (start + duration <= atSeconds || start >= up) return start + duration
  if (start >= atSeconds) return up + duration
  return semantics === 'redo' ? up + duration : start + duration + stallSeconds
}

function checkFailure(failure: InstanceFailure, instances: number): void {
  const { atSeconds, stallSeconds, instance } = failure
  requireNonNegative('completionSeconds', { atSeconds, stallSeconds })
  if (Number.isSafeInteger(instance) && instance >= 0 && instance < instances) return
  const expected = `an instance, 0 to ${instances - 1}`
  throw new CostInputError({ where: 'completionSeconds', quantity: 'failure.instance', expected, found: instance })
}

/** What a set of completions is worth. */
export interface OnTimeCost {
  readonly onTime: number
  /** Time of the last completion. */
  readonly makespanSeconds: number
  /** All cards until then, card seconds. */
  readonly cardSeconds: number
  /** Undefined where no session is on time. */
  readonly cardSecondsPerOnTime: number | undefined
  readonly meets: boolean
}

/**
 * `C_on time = C_occupied / N_on time`: all cards stay occupied until the last session is done. Parallelism chapter,
 * (6-13).
 * @param fraction share of the sessions that must be on time
 */
export function onTimeCost(
  done: readonly number[],
  of: { readonly cards: number; readonly deadlineSeconds: number; readonly fraction: number },
): OnTimeCost {
  const onTime = done.filter((at) => at <= of.deadlineSeconds).length
  const makespanSeconds = done.reduce((latest, at) => Math.max(latest, at), 0)
  const cardSeconds = of.cards * makespanSeconds
  return {
    onTime,
    makespanSeconds,
    cardSeconds,
    cardSecondsPerOnTime: onTime === 0 ? undefined : cardSeconds / onTime,
    // The share 0.7 of ten sessions is seven, though 0.7 x 10 may round to more.
    meets: onTime >= of.fraction * done.length * (1 - 1e-12),
  }
}

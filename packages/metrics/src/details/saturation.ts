import type { Saturation } from './runDetails.ts'

/** What the judgement rests on. Points as `BacklogSeries` gives them, up to the last arrival. */
export interface Load {
  readonly points: readonly { readonly arrivals: number; readonly waiting: number; readonly inside: number }[]
  readonly bucketSeconds: number
  readonly arrived: number
  readonly timedOut: number
  readonly meanE2eSeconds: number | undefined
  /** Whether KV caches travel between replicas; what waits for that counts as waiting too. */
  readonly transfers?: boolean
}

/** A queue that held less than so many seconds of arrivals is no backlog. */
const BACKLOG_SECONDS = 2
const FEWEST_WAITING = 5
/** Growth that counts: 5 % of what arrived, and more than chance explains (three deviations of a Poisson count). */
const GROWING_SHARE = 0.05

const rounded = (value: number): string => String(Number(value.toPrecision(3)))
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

/**
 * Overloaded: in the second half of the time in which requests arrive, more come than leave, and what waits (or, in a run
 * long enough to tell, what is inside) grows; or more than 5 % time out. Backlogged: not that, and yet the queue once
 * held more than 2 s of arrivals, or all came at once. Stable: neither.
 */
export function judgeSaturation(load: Load): Saturation {
  const { points, bucketSeconds, arrived, timedOut } = load
  if (arrived === 0) return { state: 'stable', reason: 'nothing arrived' }
  if (timedOut > GROWING_SHARE * arrived)
    return { state: 'overloaded', reason: `${timedOut} of ${arrived} requests timed out` }
  if (points.length < 4) return briefTraffic(load)
  const span = points.length * bucketSeconds
  const waits = growth(
    points.map((point) => point.waiting),
    points.map((point) => point.arrivals),
  )
  if (waits !== undefined) return overloaded(`waiting for ${waitsFor(load)}`, waits, span)
  const longEnough = load.meanE2eSeconds !== undefined && span / 2 > 10 * load.meanE2eSeconds
  const stays = growth(
    points.map((point) => point.inside),
    points.map((point) => point.arrivals),
  )
  if (longEnough && stays !== undefined && stays.left > 0.1 * stays.came) return overloaded('inside', stays, span)
  return backlog(load, arrived / span)
}

const waitsFor = ({ transfers = false }: Load): string => (transfers ? 'admission or transfer' : 'admission')

interface Growth {
  came: number
  left: number
  now: number
}

/** How a level grew in the second half; undefined when it did not grow to speak of. */
function growth(levels: readonly number[], arrivals: readonly number[]): Growth | undefined {
  const half = Math.floor(levels.length / 2)
  const quarter = half + Math.floor((levels.length - half) / 2)
  const came = arrivals.slice(half).reduce((sum, count) => sum + count, 0)
  const now = levels.at(-1)!
  const left = now - levels[half - 1]!
  const rising = mean(levels.slice(quarter)) > mean(levels.slice(half, quarter))
  return rising && left > GROWING_SHARE * came && left > 3 * Math.sqrt(came) ? { came, left, now } : undefined
}

const overloaded = (where: string, { came, left, now }: Growth, span: number): Saturation => ({
  state: 'overloaded',
  reason: `of ${came} requests that came in the second half of the arrivals, ${rounded(left)} more came than left; ${now} were ${where} at its end, ${rounded(left / (span / 2))} more each second`,
})

function briefTraffic(load: Load): Saturation {
  const { points, bucketSeconds, arrived } = load
  const most = Math.max(...points.map((point) => point.waiting))
  return most >= FEWEST_WAITING
    ? {
        state: 'backlogged',
        reason: `all ${arrived} requests came within ${rounded(points.length * bucketSeconds)} s, and ${most} of them waited`,
      }
    : { state: 'stable', reason: `at most ${most} requests waited for ${waitsFor(load)} at once` }
}

function backlog(load: Load, requestsPerSecond: number): Saturation {
  const { points, bucketSeconds } = load
  let worst = 0
  points.forEach((point, at) => {
    if (point.waiting > points[worst]!.waiting) worst = at
  })
  const most = points[worst]!.waiting
  const seconds = most / requestsPerSecond
  if (most < FEWEST_WAITING || seconds <= BACKLOG_SECONDS)
    return { state: 'stable', reason: `at most ${most} requests waited for ${waitsFor(load)} at once` }
  return {
    state: 'backlogged',
    reason: `${most} requests waited for ${waitsFor(load)} at ${rounded((worst + 1) * bucketSeconds)} s, ${rounded(seconds)} s of arrivals; ${points.at(-1)!.waiting} when the last one came`,
  }
}

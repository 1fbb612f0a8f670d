import type { Mark } from '../chart/liveChart.ts'
import type { Column, History } from './history.ts'

/** Changes that follow each other within so many virtual seconds are looked at as one. */
const togetherSeconds = 20
/** Before that, figures over a window still are mostly of the time before. */
const settledSeconds = 5

/** How a figure stood before what was last changed, and how it stands now. */
export interface Moved {
  column: Column
  before: number
  now: number
}

export interface SinceChange {
  /** What was changed: the words of its mark, or how many changes there were. */
  what: string
  /** Virtual seconds since. */
  seconds: number
  moved: readonly Moved[]
}

/** Index of the last point at or before a virtual time; undefined when all are later. */
const indexAt = (times: readonly (number | null)[], time: number): number | undefined => {
  for (let index = times.length - 1; index >= 0; index -= 1) if ((times[index] ?? Infinity) <= time) return index
  return undefined
}

/**
 * What became of some figures since the last change: undefined when nothing was changed, when it has just been, or so long
 * ago that the history does not reach back.
 */
export const sinceChange = (
  marks: readonly Mark[],
  history: History,
  columns: readonly Column[],
): SinceChange | undefined => {
  let first = marks.length - 1
  const last = marks[first]
  if (last === undefined) return undefined
  while (first > 0 && (marks[first]?.time ?? 0) - (marks[first - 1]?.time ?? 0) < togetherSeconds) first -= 1
  const seconds = history.lastTime() - last.time
  const from = indexAt(history.columns.time, marks[first]?.time ?? 0)
  if (seconds < settledSeconds || from === undefined) return undefined
  const moved = columns.flatMap((column): Moved[] => {
    const [before, now] = [history.columns[column][from], history.columns[column].at(-1)]
    return typeof before === 'number' && typeof now === 'number' ? [{ column, before, now }] : []
  })
  const changes = marks.length - first
  return moved.length === 0 ? undefined : { what: changes === 1 ? last.text : `${changes} changes`, seconds, moved }
}

import type { RunEvent } from '@windtunnel/protocol'
import type { Mark } from '../chart/liveChart.ts'

/** Changes that bend curves; pauses and speed changes do not. */
const bending = new Set<RunEvent['kind']>([
  'rate',
  'mix',
  'router',
  'scheduler',
  'replicaAdded',
  'replicaRemoved',
  'replicaKilled',
])

let lastEvents: readonly RunEvent[] | undefined
let lastMarks: readonly Mark[] = []

/** "rate 5 to 10 requests/s" as it fits on a chart: "rate 5 → 10/s"; the control says what the rate counts. */
const shortened = (text: string): string => text.replace(/ (requests|sessions)\/s$/, '/s').replace(/ to /, ' → ')

/** What the user changed, now or in the run that is played again, to be marked in time on every chart. */
export const marksOf = (events: readonly RunEvent[]): readonly Mark[] => {
  if (events !== lastEvents) {
    lastEvents = events
    lastMarks = events
      .filter((event) => event.cause !== 'simulation' && bending.has(event.kind))
      .map((event) => ({ time: event.time, text: shortened(event.text) }))
  }
  return lastMarks
}

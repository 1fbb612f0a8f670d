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
const shortened = ({ kind, text }: RunEvent): string => {
  if (kind === 'mix') return shortMix(text)
  return kind === 'rate' || kind === 'router' || kind === 'scheduler'
    ? text.replace(/ (requests|sessions)\/s$/, '/s').replace(/ to /, ' → ')
    : text
}

/** "mix chat 70 %, bulk 30 %, prompts x2" becomes "mix 70/30 %, prompts ×2": the control has the names in this order. */
const shortMix = (text: string): string => {
  const parts = text.replace(/^mix /, '').split(', ')
  const shares = parts.flatMap((part) => /([\d.]+) %$/.exec(part)?.[1] ?? [])
  const lengths = parts.filter((part) => /x[\d.e-]+$/.test(part)).map((part) => part.replace(' x', ' ×'))
  return [...(shares.length === 0 ? [] : [`mix ${shares.join('/')} %`]), ...lengths].join(', ')
}

/** What the user changed, now or in the run that is played again, to be marked in time on every chart. */
export const marksOf = (events: readonly RunEvent[]): readonly Mark[] => {
  if (events !== lastEvents) {
    lastEvents = events
    lastMarks = events
      .filter((event) => event.cause !== 'simulation' && bending.has(event.kind))
      .map((event) => ({ time: event.time, text: shortened(event) }))
  }
  return lastMarks
}

import { scaled, text } from '../../format/quantity.ts'
import { evaluate, numberOf } from '../evaluate.ts'
import { type BarRow, Bars } from './Bars.tsx'
import type { Picture } from './picture.ts'

const shown = (bytes: number): string => text(scaled(bytes, 'B'))
const degrees = [1, 2, 4, 8, 16, 32]

const rowAt = (
  name: string,
  typed: Record<string, string>,
  tp: number,
  chosen: boolean,
): (BarRow & { capacity: number }) | undefined => {
  const results = evaluate(name, { ...typed, tp: String(tp) })
  const perCard = numberOf(results, 'perCard')
  const weights = numberOf(results, 'weightsPerCard')
  const keyValues = numberOf(results, 'kvPerCard')
  const free = numberOf(results, 'free')
  if (perCard === undefined || weights === undefined || keyValues === undefined || free === undefined) return undefined
  return {
    label: `TP${tp}`,
    chosen,
    bad: free < 0,
    note:
      free < 0
        ? `${shown(weights)} of weights, ${shown(-free)} too much`
        : `${shown(weights)} of weights, room for ${numberOf(results, 'maxSessions') ?? 'any number of'} sessions`,
    capacity: perCard + free,
    parts: [
      { name: 'weights', value: weights, colour: 'var(--decode)' },
      { name: 'KV cache', value: keyValues, colour: 'var(--kv)' },
      { name: 'workspace', value: perCard - weights - keyValues, colour: 'var(--queue)' },
      { name: 'free', value: Math.max(0, free), colour: 'var(--line)' },
    ],
  }
}

/** What fills one card, for each degree of tensor parallelism. */
export const memoryOverTp: Picture = ({ typed }) => {
  const chosen = Number(typed['tp'])
  const tried = [...new Set([...degrees, chosen])].filter((tp) => tp > 0).sort((a, b) => a - b)
  const rows = tried.flatMap((tp) => rowAt('tpCardMemory', typed, tp, tp === chosen) ?? [])
  const capacity = rows[0]?.capacity
  return (
    <Bars
      title="Memory of one card"
      unit="over tensor parallelism"
      rows={rows}
      show={shown}
      {...(capacity === undefined ? {} : { edge: { value: capacity, label: `capacity, ${shown(capacity)}` } })}
      caption="KV heads divide only as far as there are some; beyond that ranks hold copies."
    />
  )
}

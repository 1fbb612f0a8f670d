import { Figure } from '../../figure/Figure.tsx'
import { duration, text, threeDigits } from '../../format/quantity.ts'
import { axisTick } from '../axisTick.ts'
import { evaluate, numberOf, type Results, rowsOf } from '../evaluate.ts'
import type { Typed } from '../inputs.ts'
import { Bars } from './Bars.tsx'
import { Curves } from './Curves.tsx'
import type { Picture } from './picture.ts'

const hues = ['var(--decode)', 'var(--prefill)', 'var(--kv)', 'var(--transfer)', 'var(--p99)', 'var(--warn)']

/** The best layout's cost over the deadline: a step wherever the answer flips. */
const CostOverDeadline = ({ ranges, deadline }: { ranges: readonly Results[]; deadline: number }) => {
  const found = ranges.flatMap((range) => {
    const from = numberOf(range, 'from')
    const cost = numberOf(range, 'costPerOnTime')
    return from === undefined || cost === undefined ? [] : [{ from, cost, layout: String(range['layout']) }]
  })
  if (found.length === 0) return null
  const last = found.at(-1)?.from ?? 0
  const end = Math.max(last, deadline) * 1.25
  const most = Math.max(...found.map(({ cost }) => cost))
  const tick = axisTick('s')
  return (
    <Figure
      title="Cost over deadline"
      unit="GPU seconds for a session on time, best layout"
      x={{ label: 'deadline', from: Math.min(found[0]?.from ?? 0, deadline) * 0.8, to: end, tick }}
      y={{ label: '', from: 0, to: most * 1.15, tick: axisTick(undefined) }}
      series={found.map(({ from, cost, layout }, index) => ({
        label: layout,
        colour: hues[index % hues.length] ?? 'var(--ink)',
        points: [from, found[index + 1]?.from ?? end].map((x) => ({
          x,
          y: cost,
          note: `${threeDigits(cost)} GPU.s from a deadline of ${text(duration(from))} on`,
        })),
      }))}
      lines={[{ axis: 'x', value: deadline, label: 'asked', colour: 'var(--faint)' }]}
      caption={`Below ${text(duration(found[0]?.from))} no layout will do.`}
    />
  )
}

const parts = [
  ['waitingSeconds', 'waiting', 'var(--queue)'],
  ['prefillSeconds', 'prefill', 'var(--prefill)'],
  ['weightsSeconds', 'reading weights', 'var(--decode)'],
  ['kvSeconds', 'reading KV', 'var(--kv)'],
  ['computeSeconds', 'computing', 'var(--warn)'],
  ['reductionSeconds', 'AllReduces', 'var(--transfer)'],
  ['exchangeSeconds', 'experts', 'var(--p99)'],
  ['handOffSeconds', 'hand-off', 'var(--p50)'],
  ['mergeSeconds', 'merging', 'var(--ok)'],
  ['stallSeconds', 'stalls', 'var(--bad)'],
] as const
const mostLayouts = 8

/** Where the time of the session that ends last goes, by layout. */
const PathOfLast = ({ options, deadline }: { options: readonly Results[]; deadline: number }) => {
  const used = parts.filter(([name]) => options.some((option) => (numberOf(option, name) ?? 0) > 0))
  return (
    <Bars
      title="The last session"
      unit={
        options.length > mostLayouts
          ? `the best ${mostLayouts} of ${options.length} layouts`
          : 'by layout, the best first'
      }
      rows={options.slice(0, mostLayouts).map((option, rank) => ({
        label: String(option['layout']),
        chosen: rank === 0,
        parts: used.map(([name, label, colour]) => ({ name: label, value: numberOf(option, name) ?? 0, colour })),
        note: `done after ${text(duration(numberOf(option, 'lastDone')))}, ${threeDigits(numberOf(option, 'costPerOnTime') ?? numberOf(option, 'cost') ?? 0)} GPU.s a session on time`,
      }))}
      show={(seconds) => text(duration(seconds))}
      edge={{ value: deadline, label: `deadline, ${text(duration(deadline))}` }}
    />
  )
}

const deadlineOf = (typed: Readonly<Record<string, string>>): number => Number(typed['deadline'] || 0.13)

export const planPicture: Picture = ({ typed, results }) => (
  <>
    <CostOverDeadline ranges={rowsOf(results, 'byDeadline')} deadline={deadlineOf(typed)} />
    <PathOfLast options={rowsOf(results, 'options')} deadline={deadlineOf(typed)} />
  </>
)

const degrees = [1, 2, 4, 8, 16]

/** Cost for each session on time; undefined where the layout does not fit or no session is on time. */
const costAt = (typed: Typed, tp: number, deadline: number): number | undefined => {
  const results = evaluate('deploymentPlan', { ...typed, tp: String(tp), deadline: String(deadline) })
  return results?.['fits'] === true ? numberOf(results, 'costPerOnTime') : undefined
}

/** What a session on time costs over the deadline, by degree of tensor parallelism. */
export const costOverDeadline: Picture = ({ typed, results }) => {
  const deadline = deadlineOf(typed)
  const centre = numberOf(results, 'allDoneSeconds') ?? deadline
  const xs = Array.from({ length: 60 }, (_, step) => centre * (0.2 + step * 0.03))
  return (
    <Curves
      title="Cost over deadline"
      unit="GPU seconds for a session on time"
      xs={xs}
      xLabel="deadline"
      xUnit="s"
      linearX
      yUnit={undefined}
      curves={degrees
        .filter((tp) => Number(typed['cards'] || 8) % tp === 0)
        .map((tp, index) => ({
          label: `tp ${tp}${String(tp) === typed['tp'] ? ', typed' : ''}`,
          colour: hues[index] ?? 'var(--ink)',
          at: (seconds) => costAt(typed, tp, seconds),
        }))}
      lines={[{ axis: 'x', value: deadline, label: 'asked', colour: 'var(--faint)' }]}
      caption="Fewer sessions are on time before a short deadline, and each bears more of the cost; a curve begins with the first session done."
    />
  )
}

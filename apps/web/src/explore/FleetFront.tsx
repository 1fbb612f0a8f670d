import { Figure, type FigureSeries } from '../figure/Figure.tsx'
import { duration, text, threeDigits, whole } from '../format/quantity.ts'
import { type Deployment, type FleetPoint, fleetsUnder } from './deployment.ts'
import { plain } from './figures.tsx'

const loads = [
  [0.5, 'half', 'var(--p50)'],
  [1, '', 'var(--p90)'],
  [2, 'double', 'var(--p99)'],
] as const

const noteOf = ({ replicas, batch, step }: FleetPoint): string =>
  `${whole(replicas)} ${replicas === 1 ? 'replica' : 'replicas'} · batch ${threeDigits(batch)} · ${text(duration(step.seconds))} · ${threeDigits(step.tokensPerSecondPerChip)} tok/s a chip${step.usdPerMillion === undefined ? '' : ` · $${threeDigits(step.usdPerMillion)} / M tok`}`

const pace = (fleet: FleetPoint | undefined): string =>
  fleet === undefined ? 'cannot carry it' : `takes ${text(duration(fleet.step.seconds))} a token`

/** What the smallest fleet for the load does under twice the load, in words. */
const doubled = (once: readonly FleetPoint[], twice: readonly FleetPoint[]): string => {
  const [least] = once
  const [leastTwice] = twice
  if (least === undefined || leastTwice === undefined) return ''
  const room = once.find(({ replicas }) => replicas >= leastTwice.replicas)
  return `The load needs ${whole(least.replicas)} at least (it ${pace(least)}), twice the load ${whole(leastTwice.replicas)}; with ${whole(room?.replicas ?? leastTwice.replicas)} from the start a token takes ${text(duration(room?.step.seconds))}.`
}

/** Latency of a token over the replicas that share a load: the load, its half and its double. */
export const FleetFront = ({ deployment }: { deployment: Deployment }) => {
  const { load, contextTokens } = deployment.choice
  const fleets = loads.map(([factor]) => fleetsUnder(deployment, load * factor))
  const series = loads.map(
    ([factor, word, colour], index): FigureSeries => ({
      label: `${word === '' ? '' : `${word}: `}${whole(load * factor)} tok/s`,
      colour,
      points: (fleets[index] ?? []).map((fleet) => ({
        x: fleet.replicas,
        y: fleet.step.seconds * 1000,
        note: noteOf(fleet),
      })),
    }),
  )
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return null
  const xs = points.map((point) => point.x)
  const ends = series.flatMap(({ points: [least], label, colour }): FigureSeries[] =>
    least === undefined ? [] : [{ label: `${label}, the smallest fleet`, colour, shape: 'points', points: [least] }],
  )
  return (
    <Figure
      title="Latency against replicas"
      unit={`ms a token, ${whole(contextTokens)} tokens of context`}
      x={{
        label: 'replicas that share the load',
        log: true,
        from: Math.min(...xs),
        to: Math.max(...xs, 2),
        tick: plain,
      }}
      y={{ label: '', from: 0, to: Math.max(...points.map((point) => point.y)) * 1.1, tick: plain }}
      series={[...series, ...ends]}
      inKey={series.length}
      caption={`A dot is the smallest fleet that carries the load. More replicas: smaller batches, quicker tokens, idler chips. ${doubled(fleets[1] ?? [], fleets[2] ?? [])}`}
    />
  )
}

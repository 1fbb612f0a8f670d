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

/** Latency of a token against throughput of a chip, over the replicas that share a load. */
export const FleetFront = ({ deployment }: { deployment: Deployment }) => {
  const { load, contextTokens } = deployment.choice
  const fleets = loads.map(([factor]) => fleetsUnder(deployment, load * factor))
  const series = loads.map(([factor, word, colour], index): FigureSeries => {
    const found = fleets[index] ?? []
    return {
      label: `${word === '' ? '' : `${word}: `}${whole(load * factor)} tok/s, ${found.length === 0 ? 'none' : `${whole(found[0]?.replicas ?? 0)} to ${whole(found.at(-1)?.replicas ?? 0)} replicas`}`,
      colour,
      points: found.map((fleet) => ({
        x: fleet.step.seconds * 1000,
        y: fleet.step.tokensPerSecondPerChip,
        note: noteOf(fleet),
      })),
    }
  })
  const points = series.flatMap((one) => one.points)
  if (points.length === 0) return null
  const xs = points.map((point) => point.x)
  const dots = series.map((one): FigureSeries => ({ ...one, label: `${one.label}, each fleet`, shape: 'points' }))
  return (
    <Figure
      title="Fleets under a load"
      unit={`tokens/s per accelerator, ${whole(contextTokens)} tokens of context`}
      x={{ label: 'time per output token, ms', from: Math.min(...xs) * 0.97, to: Math.max(...xs) * 1.03, tick: plain }}
      y={{ label: '', from: 0, to: Math.max(...points.map((point) => point.y)) * 1.08, tick: plain }}
      series={[...series, ...dots]}
      inKey={series.length}
      caption={`Each point is a fleet, the smallest at the right: more replicas, smaller batches, quicker tokens, idler chips. ${doubled(fleets[1] ?? [], fleets[2] ?? [])}`}
    />
  )
}

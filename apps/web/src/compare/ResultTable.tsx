import { type Measure, measures } from './measures.ts'
import { type Estimate, estimate, isClear, pairedDifference } from './statistics.ts'
import type { Found } from './study.ts'

const valuesOf = (found: Found, variant: number, measure: Measure): (number | undefined)[] =>
  (found.outcomes[variant] ?? []).map((outcome) => (outcome === undefined ? undefined : measure.value(outcome.summary)))

const shown = (measure: Measure, { mean, halfWidth }: Estimate): string =>
  halfWidth === undefined ? measure.show(mean) : `${measure.show(mean)} ± ${measure.show(halfWidth)}`

const Difference = ({ measure, difference }: { measure: Measure; difference: Estimate | undefined }) => {
  if (difference === undefined) return null
  if (difference.mean === 0 && difference.halfWidth === 0) return <small>the same</small>
  const clear = isClear(difference)
  const good = difference.mean < 0 === (measure.better === 'lower')
  const word = clear ? (good ? 'better' : 'worse') : difference.halfWidth === undefined ? 'one seed' : 'unclear'
  return (
    <small className={clear ? (good ? 'better' : 'worse') : undefined}>
      {difference.mean > 0 ? '+' : ''}
      {shown(measure, difference)} · {word}
    </small>
  )
}

/** Without seeds to average over there are no intervals. */
const headingOf = ({ seeds, variants }: Found): string =>
  seeds.length === 1
    ? `one seed, so no intervals; second line: against ${variants[0]?.label}`
    : `mean over ${seeds.length} seeds ± 95 % confidence; second line: against ${variants[0]?.label}, seed by seed`

/** Every measure of every variant: the mean over seeds, and the paired difference to the first with its interval. */
export const ResultTable = ({ found }: { found: Found }) => (
  <section className="panel" aria-label="Differences">
    <h2>
      <b>Differences</b>
      <span className="unit">{headingOf(found)}</span>
    </h2>
    <div className="table-place">
      <table>
        <thead>
          <tr>
            <th scope="col">Measure</th>
            {found.variants.map((variant, index) => (
              <th scope="col" key={`${variant.label}/${String(index)}`}>
                {variant.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {measures.map((measure) => {
            const first = valuesOf(found, 0, measure)
            return (
              <tr key={measure.name}>
                <th scope="row">{measure.name}</th>
                {found.variants.map((variant, index) => {
                  const values = valuesOf(found, index, measure)
                  const mean = estimate(values.filter((value) => value !== undefined))
                  return (
                    <td key={`${variant.label}/${String(index)}`}>
                      {mean === undefined ? '–' : shown(measure, mean)}
                      {index > 0 && <Difference measure={measure} difference={pairedDifference(first, values)} />}
                    </td>
                  )
                })}
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  </section>
)

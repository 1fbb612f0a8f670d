import { whole } from '../../format/quantity.ts'
import { useLive } from '../context.ts'

const rows = [
  ['arrived', 'Arrived'],
  ['completed', 'Completed'],
  ['unfinished', 'Inside'],
  ['rejected', 'Rejected'],
  ['failed', 'Failed'],
  ['timedOut', 'Timed out'],
] as const

/** Every request since the start, by what became of it. */
export const Totals = () => {
  const requests = useLive((state) => state.frame?.requests)
  return (
    <section className="panel" aria-label="Requests since the start">
      <h2>
        <b>Totals</b>
        <span className="end">since the start</span>
      </h2>
      <dl className="totals">
        {rows.map(([key, label]) => (
          <div key={key}>
            <dt>{label}</dt>
            <dd>{requests === undefined ? '–' : whole(requests[key])}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

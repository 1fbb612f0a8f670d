import { useLive } from '../context.ts'
import { ShareRun } from './ShareRun.tsx'

/** How the figures came about, and where they stretch beyond what was measured. */
export const Notes = () => {
  const scenario = useLive((state) => state.hello?.scenario)
  const place = useLive((state) => state.hello !== undefined)
  const achieved = useLive((state) => state.frame?.achievedSpeed)
  const window = useLive((state) => state.frame?.window)
  if (scenario === undefined || !place) return null
  return (
    <section className="panel notes" aria-label="Notes on these figures">
      <h2>
        <b>Notes</b>
        <span className="end">{scenario.name}</span>
      </h2>
      {scenario.description !== undefined && <p>{scenario.description}</p>}
      <p>
        Step times: {scenario.backend}. Percentiles and rates cover the last{' '}
        {window === undefined ? '–' : Math.round(window)} simulated seconds. Speed reached:{' '}
        {achieved === undefined ? '–' : achieved >= 10 ? Math.round(achieved) : achieved.toFixed(1)}×.
      </p>
      <div className="buttons">
        <ShareRun />
      </div>
      {scenario.warnings.map((warning) => (
        <p key={warning} className="warning">
          {warning}
        </p>
      ))}
    </section>
  )
}

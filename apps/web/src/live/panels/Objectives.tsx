import { percent, promise, text } from '../../format/quantity.ts'
import { useLive } from '../context.ts'
import { metricNames } from '../objectives.ts'

const toneOf = (met: number | undefined): string =>
  met === undefined ? 'queue' : met >= 0.99 ? 'ok' : met >= 0.9 ? 'warn' : 'bad'

/** The share of requests of the window that met each promise. */
export const Objectives = () => {
  const objectives = useLive((state) => state.frame?.objectives)
  const severalClasses = useLive((state) => (state.hello?.scenario.objectives.length ?? 0) > 1)
  return (
    <section className="panel" aria-label="Objectives">
      <h2>
        <b>Objectives</b>
        <span className="end">requests in time</span>
      </h2>
      {objectives === undefined || objectives.length === 0 ? (
        <p className="empty">{objectives === undefined ? 'No figures yet.' : 'This scenario promises nothing.'}</p>
      ) : (
        <div className={severalClasses ? 'bars wide' : 'bars'}>
          {objectives.map(({ serviceClass, metric, limit, met }) => (
            <div key={`${serviceClass}/${metric}`}>
              <span>
                {severalClasses ? `${serviceClass}: ` : ''}
                {metricNames[metric]}
                {limit === undefined ? '' : ` ≤ ${promise(limit)}`}
              </span>
              <span className="bar" aria-hidden="true">
                <i style={{ width: `${(met ?? 0) * 100}%`, background: `var(--${toneOf(met)})` }} />
              </span>
              <span className="n" style={toneOf(met) === 'bad' ? { color: 'var(--bad)' } : undefined}>
                {text(percent(met))}
              </span>
            </div>
          ))}
        </div>
      )}
    </section>
  )
}

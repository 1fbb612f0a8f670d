import { duration, percent, text } from '../../format/quantity.ts'
import { useLive } from '../context.ts'

const parts = [
  ['kv', 'KV cache'],
  ['weights', 'Weights'],
  ['compute', 'Compute'],
  ['collectives', 'Collectives'],
  ['host', 'Host'],
] as const

/** Where the time of one step of the busiest generate replica goes. */
export const StepParts = () => {
  const step = useLive((state) => state.frame?.step)
  const name = useLive((state) => state.frame?.replicas.find((replica) => replica.replica === step?.replica)?.name)
  return (
    <section className="panel" aria-label="Where a step goes">
      <h2>
        <b>Where a step goes</b>
        <span className="end">
          {step === undefined ? 'no step yet' : `${name ?? 'busiest'} · ${text(duration(step.seconds))}`}
        </span>
      </h2>
      <div className="bars">
        {parts.map(([key, label]) => {
          const share = step === undefined || step.seconds === 0 ? undefined : step[key] / step.seconds
          return (
            <div key={key} title={step === undefined ? undefined : `${label}: ${text(duration(step[key]))}`}>
              <span>{label}</span>
              <span className="bar" aria-hidden="true">
                <i style={{ width: `${(share ?? 0) * 100}%` }} />
              </span>
              <span className="n">{text(percent(share))}</span>
            </div>
          )
        })}
      </div>
    </section>
  )
}

import { type KvCapacity, kvCapacityOrLess } from '@windtunnel/cost/memory/kvCapacity'
import { scaled, text, whole } from '../format/quantity.ts'
import { tpDegrees } from './choice.ts'
import type { Deployment } from './deployment.ts'

const parts = (capacity: KvCapacity) =>
  [
    ['weights', capacity.weightBytes, 'decode'],
    ['activations and buffers', capacity.overheadBytes, 'queue'],
    ['KV cache', Math.max(0, capacity.freeBytes), 'kv'],
    ['left to the system', capacity.memoryBytes - capacity.usableBytes, 'line'],
  ] as const

const capacityAt = (deployment: Deployment, tp: number): KvCapacity | undefined => {
  const { architecture, accelerator, choice } = deployment
  try {
    return kvCapacityOrLess({
      architecture,
      accelerator,
      layout: { tp },
      dtypes: { weights: choice.weights, keyValues: choice.keyValues },
    })
  } catch {
    return undefined
  }
}

/** What fills the memory of one accelerator, for each degree of tensor parallelism. */
export const MemoryPerCard = ({ deployment }: { deployment: Deployment }) => {
  const rows = tpDegrees
    .map((tp) => ({ tp, capacity: capacityAt(deployment, tp) }))
    .filter((row) => row.capacity !== undefined)
  const { memoryBytes } = deployment.capacity
  const fullest = Math.max(
    memoryBytes,
    ...rows.map(({ capacity }) => (capacity === undefined ? 0 : capacity.weightBytes + capacity.overheadBytes)),
  )
  const widest = Math.min(fullest, memoryBytes * 1.6)
  return (
    <section className="panel figure" aria-label="Memory per accelerator">
      <h2>
        <b>Memory per accelerator</b>
        <span className="unit">of {text(scaled(memoryBytes, 'B'))}, by tensor parallelism</span>
      </h2>
      <div className="keys">
        {parts(deployment.capacity).map(([name, , hue]) => (
          <span key={name}>
            <i style={{ background: `var(--${hue})` }} />
            {name}
          </span>
        ))}
      </div>
      <div className="memory">
        {rows.map(({ tp, capacity }) => {
          if (capacity === undefined) return null
          const fits = capacity.blocks > 0
          const tokens = capacity.blocks * capacity.blockTokens
          return (
            <div key={tp} className={tp === deployment.choice.tp ? 'chosen' : undefined}>
              <span>TP{tp}</span>
              <span className="bar stacked">
                {parts(capacity).map(([name, bytes, hue]) => (
                  <i
                    key={name}
                    title={`${name}: ${text(scaled(bytes, 'B'))}`}
                    style={{ width: `${(bytes / widest) * 100}%`, background: `var(--${hue})` }}
                  />
                ))}
                <i className="edge" style={{ left: `${(memoryBytes / widest) * 100}%` }} />
              </span>
              <span className={fits ? 'n' : 'n bad'}>
                {fits
                  ? `${text(scaled(capacity.weightBytes, 'B'))} weights · KV for ${whole(tokens)} tokens`
                  : `${text(scaled(capacity.weightBytes, 'B'))} of weights do not fit`}
              </span>
            </div>
          )
        })}
      </div>
      <p className="caption">
        90 % of the memory is the engine's; KV is counted for the whole replica, in blocks of{' '}
        {deployment.capacity.blockTokens} tokens.
      </p>
    </section>
  )
}

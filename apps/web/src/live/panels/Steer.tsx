import { useState } from 'react'
import { threeDigits } from '../../format/quantity.ts'
import { useLive, useSession } from '../context.ts'
import { Mix } from './Mix.tsx'
import { Refusal } from './Refusal.tsx'
import { useAsked } from './useAsked.ts'

const roundRate = (rate: number): number => Number(rate.toPrecision(3))

/** The arrival rate: a slider, and its half and its double. Sent 150 ms after the last move. */
const RateControl = () => {
  const session = useSession()
  const asked = useLive((state) => state.frame?.rate ?? state.hello?.scenario.arrivalRate)
  const most = useLive((state) => state.hello?.scenario.maxArrivalRate)
  const arriving = useLive((state) => state.frame?.arrivalRate)
  const steerable = useLive((state) => state.connection === 'live' && state.hello?.scenario.rateSteerable === true)
  const fixedTraffic = useLive((state) => state.hello?.scenario.rateSteerable === false)
  const counts = useLive((state) => state.hello?.scenario.rateCounts)
  const { shown: rate, ask: askFor } = useAsked(
    asked,
    (a, b) => a === b,
    (requestsPerSecond) => requestsPerSecond !== undefined && session.send({ type: 'rate', requestsPerSecond }),
  )
  const ask = (wanted: number, pauseMilliseconds: number) => askFor(roundRate(wanted), pauseMilliseconds)
  const top = Math.max(most ?? 100, rate ?? 0)
  // A rate of 0 is no traffic: pausing does that.
  const least = roundRate(top / 500)
  return (
    <div className="row">
      <label htmlFor="rate">Arrival rate</label>
      <output htmlFor="rate">
        {rate !== undefined
          ? `${threeDigits(rate)} ${counts === 'sessions' ? 'sessions' : 'req'}/s`
          : fixedTraffic
            ? 'from the trace'
            : '–'}
      </output>
      <div className="rate">
        <button
          type="button"
          disabled={!steerable || rate === undefined}
          onClick={() => ask((rate ?? 0) / 2, 0)}
          aria-label="÷2: halve the arrival rate"
        >
          ÷2
        </button>
        <input
          id="rate"
          type="range"
          min={least}
          max={top}
          step="any"
          value={rate ?? least}
          disabled={!steerable}
          aria-valuetext={rate === undefined ? undefined : `${threeDigits(rate)} ${counts ?? 'requests'} per second`}
          onChange={(event) => ask(event.currentTarget.valueAsNumber, 150)}
          onKeyDown={(event) => {
            const direction = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key]
            if (direction === undefined || rate === undefined) return
            event.preventDefault()
            ask(Math.max(least, Math.min(top, rate + (direction * top) / 50)), 150)
          }}
        />
        <button
          type="button"
          disabled={!steerable || rate === undefined}
          onClick={() => ask((rate ?? 0) * 2, 0)}
          aria-label="×2: double the arrival rate"
        >
          ×2
        </button>
      </div>
      <p className="hint">
        {arriving === undefined
          ? '\u00a0'
          : `arriving now: ${threeDigits(arriving)} req/s${counts === 'sessions' ? ', several a session' : ''}`}
      </p>
      {fixedTraffic && <p className="hint">This traffic comes from a trace; its rate is fixed.</p>}
      <Refusal control="rate" />
    </div>
  )
}

const Choice = ({
  control,
  label,
  value,
  choices,
}: {
  control: 'router' | 'scheduler'
  label: string
  value: string | undefined
  choices: readonly string[]
}) => {
  const session = useSession()
  const live = useLive((state) => state.connection === 'live')
  return (
    <div className="row">
      <label htmlFor={control}>{label}</label>
      <select
        id={control}
        disabled={!live || choices.length === 0}
        value={value ?? ''}
        onChange={(event) => session.send({ type: control, name: event.currentTarget.value })}
      >
        {value !== undefined && !choices.includes(value) && <option value={value}>{value}</option>}
        {value === undefined && <option value="">–</option>}
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
      <Refusal control={control} />
    </div>
  )
}

/** Replicas of each pool: one more, one fewer (drained), or the busiest one lost at once. */
const Replicas = () => {
  const session = useSession()
  const pools = useLive((state) => state.hello?.scenario.pools)
  const replicas = useLive((state) => state.frame?.replicas) ?? []
  const live = useLive((state) => state.connection === 'live')
  return (
    <div className="row">
      <span className="label">Replicas</span>
      {(pools ?? []).map(({ name }) => {
        const up = replicas.filter((replica) => replica.pool === name && replica.state === 'up')
        const last = up.at(-1)
        const busiest = up.reduce(
          (most, replica) => (most === undefined || replica.running > most.running ? replica : most),
          up[0],
        )
        return (
          <div className="pool-row" key={name}>
            <span>{name}</span>
            <button
              type="button"
              disabled={!live || last === undefined}
              aria-label={`Drain one ${name} replica`}
              title="Drain the last one: it takes no new requests and leaves when done"
              onClick={() => last && session.send({ type: 'removeReplica', replica: last.replica })}
            >
              −
            </button>
            <output aria-label={`${name} replicas up`}>{up.length}</output>
            <button
              type="button"
              disabled={!live}
              aria-label={`Add one ${name} replica`}
              title="Add one"
              onClick={() => session.send({ type: 'addReplica', pool: name })}
            >
              +
            </button>
            <button
              type="button"
              className="danger"
              disabled={!live || busiest === undefined}
              aria-label={`Kill the busiest ${name} replica`}
              title="Lose the busiest one at once: a fault"
              onClick={() => busiest && session.send({ type: 'killReplica', replica: busiest.replica })}
            >
              Kill
            </button>
          </div>
        )
      })}
      <Refusal control="replicas" />
    </div>
  )
}

const Reset = () => {
  const session = useSession()
  const seed = useLive((state) => state.hello?.scenario.seed)
  const live = useLive((state) => state.connection === 'live')
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const wanted = typed ?? String(seed ?? '')
  const number = Number(wanted)
  const valid = wanted.trim() !== '' && Number.isSafeInteger(number) && number >= 0
  return (
    <form
      className="row"
      onSubmit={(event) => {
        event.preventDefault()
        if (valid) session.send({ type: 'reset', seed: number })
        setTyped(undefined)
      }}
    >
      <label htmlFor="seed">Seed</label>
      <div className="reset">
        <input
          id="seed"
          inputMode="numeric"
          value={wanted}
          aria-invalid={!valid}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        <button type="submit" disabled={!live || !valid}>
          Start over
        </button>
      </div>
      {!valid && seed !== undefined && <p className="refusal">A seed is a whole number of at least 0.</p>}
      <Refusal control="reset" />
    </form>
  )
}

/** What a viewer can change while the fleet runs. */
export const Steer = () => {
  const router = useLive((state) => state.frame?.router ?? state.hello?.scenario.router)
  const routers = useLive((state) => state.hello?.scenario.routers) ?? []
  const scheduler = useLive((state) => state.frame?.scheduler)
  const schedulers = useLive((state) => state.hello?.scenario.schedulers) ?? []
  return (
    <section className="panel steer" aria-label="Steer">
      <h2>
        <b>Steer</b>
        <span className="end">marked on the charts</span>
      </h2>
      <RateControl />
      <Mix />
      <div className="pair">
        <Choice control="router" label="Router" value={router} choices={routers} />
        <Choice control="scheduler" label="Scheduler" value={scheduler} choices={schedulers} />
      </div>
      <Replicas />
      <Reset />
    </section>
  )
}

import type { RequestSample } from '@windtunnel/protocol'
import { useEffect, useMemo, useRef, useState } from 'react'
import { CalmTop, gridlines } from '../../chart/scale.ts'
import { duration, promise, text, threeDigits } from '../../format/quantity.ts'
import { useLive, useSession } from '../context.ts'
import { strictestLimit } from '../objectives.ts'
import { RequestStory } from './RequestStory.tsx'

export const phases = ['queue', 'prefill', 'transfer', 'decode'] as const
const rows = 9
const refreshMilliseconds = 600

export const lengthOf = (sample: RequestSample): number =>
  sample.queue + sample.prefill + sample.transfer + sample.decode

const describe = (sample: RequestSample): string =>
  `Request ${sample.request}, ${sample.ending}, ${text(duration(lengthOf(sample)))}: ${phases.map((phase) => `${phase} ${text(duration(sample[phase]))}`).join(', ')}`

/** The latest samples, renewed at a pace people can read, and held, once the list is full, while the pointer or the focus is on it. */
const useCalmSamples = (list: React.RefObject<HTMLElement | null>): readonly RequestSample[] => {
  const session = useSession()
  const [shown, setShown] = useState<readonly RequestSample[]>([])
  useEffect(() => {
    let run: object | undefined
    let full = false
    const renew = () => {
      const { samples, hello } = session.state
      if (full && list.current?.matches(':hover, :focus-within') && run === hello) return
      run = hello
      const latest = samples.slice(-rows)
      full = latest.length === rows
      setShown((before) => (before.at(-1) === latest.at(-1) ? before : latest))
    }
    renew()
    const timer = setInterval(renew, refreshMilliseconds)
    return () => clearInterval(timer)
  }, [session, list])
  return shown
}

const Row = ({ sample, top, open }: { sample: RequestSample; top: number; open: () => void }) => {
  let from = 0
  return (
    <button type="button" className="wf-row" onClick={open}>
      <span className="unseen">{describe(sample)}</span>
      <span className="id" aria-hidden="true">
        #{sample.request}
      </span>
      <span className="track" aria-hidden="true">
        {phases.map((phase) => {
          const left = from
          from += sample[phase]
          return sample[phase] === 0 ? null : (
            <i
              key={phase}
              style={{
                left: `${(left / top) * 100}%`,
                width: `${(sample[phase] / top) * 100}%`,
                background: `var(--${phase})`,
              }}
            />
          )
        })}
      </span>
      <span className="n" aria-hidden="true">
        {sample.ending === 'completed'
          ? `${threeDigits(lengthOf(sample))} s`
          : sample.ending === 'timedOut'
            ? 'timed out'
            : sample.ending}
      </span>
    </button>
  )
}

/** Sampled requests, all aligned at their arrival: where each one's time went. Choose one for its story. */
export const Waterfall = () => {
  const list = useRef<HTMLDivElement>(null)
  const samples = useCalmSamples(list)
  const oneIn = useLive((state) => state.hello?.scenario.sampledOneIn)
  const limit = useLive((state) => strictestLimit(state.hello?.scenario, 'ttft'))
  const [chosen, setChosen] = useState<RequestSample | undefined>(undefined)
  const run = useLive((state) => state.hello)
  // Another run begins with an axis of its own.
  const calm = useMemo(() => new CalmTop(run === undefined ? 1 : 0.1, 8), [run])
  const top = calm.follow(Math.max(0.05, ...samples.map(lengthOf)))
  return (
    <section className="panel waterfall" aria-label="Sampled requests">
      <h2>
        <b>Requests</b>
        <span className="unit">
          {oneIn === undefined ? '' : `${oneIn === 1 ? 'every one' : `one in ${oneIn}`}, latest first`}
          {limit === undefined ? '' : ` · dashed: TTFT ≤ ${promise(limit)}`}
        </span>
        <span className="legend end">
          {phases.map((phase) => (
            <span key={phase}>
              <i style={{ background: `var(--${phase})` }} />
              {phase}
            </span>
          ))}
        </span>
      </h2>
      <div className="wf" ref={list}>
        {samples.length === 0 && <p className="empty">A request shows here when it has ended.</p>}
        {samples.toReversed().map((sample) => (
          <Row key={sample.request} sample={sample} top={top} open={() => setChosen(sample)} />
        ))}
      </div>
      <div className="wf-axis" aria-hidden="true">
        <span />
        <span className="track">
          {gridlines(top).map((value) => (
            <span key={value} style={{ left: `${(value / top) * 100}%` }}>
              {value === 0 ? 'arrival' : `${Number(value.toPrecision(4))} s`}
            </span>
          ))}
          {limit !== undefined && limit < top && samples.length > 0 && (
            <i className="limit" style={{ left: `${(limit / top) * 100}%` }} />
          )}
        </span>
        <span />
      </div>
      {chosen !== undefined && <RequestStory sample={chosen} limit={limit} close={() => setChosen(undefined)} />}
    </section>
  )
}

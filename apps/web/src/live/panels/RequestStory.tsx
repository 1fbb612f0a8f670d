import type { RequestSample } from '@windtunnel/protocol'
import { useEffect, useRef } from 'react'
import { clock, duration, latency, percent, promise, text, whole } from '../../format/quantity.ts'
import { lengthOf, phases } from './Waterfall.tsx'

const sentences = (sample: RequestSample, limit: number | undefined): string[] => {
  const cached =
    sample.cachedTokens > 0
      ? `, ${text(percent(sample.cachedTokens / sample.inputTokens))} of them found in a prefix cache`
      : ''
  const late = limit !== undefined && sample.ttft !== undefined && sample.ttft > limit
  const first =
    sample.ttft === undefined
      ? 'It never got a first token.'
      : `Its first token came after ${text(latency(sample.ttft))}${limit === undefined ? '' : late ? `, later than the promised ${promise(limit)}` : ', in time'}.`
  const gaps =
    sample.outputTokens > 1 && sample.decode > 0
      ? ` at ${text(duration(sample.decode / (sample.outputTokens - 1)))} a token`
      : ''
  return [
    `Arrived at ${clock(sample.arrival)} with ${whole(sample.inputTokens)} prompt tokens${cached}.`,
    first,
    `It got ${whole(sample.outputTokens)} output tokens${gaps}.`,
    ...(sample.preemptions > 0
      ? [`It was preempted ${sample.preemptions === 1 ? 'once' : `${sample.preemptions} times`} for want of KV blocks.`]
      : []),
    ...(sample.ending === 'completed'
      ? []
      : [`It ended as ${sample.ending === 'timedOut' ? 'timed out' : sample.ending}.`]),
  ]
}

/** The story of one request, phase by phase. */
export const RequestStory = ({
  sample,
  limit,
  close,
}: {
  sample: RequestSample
  limit: number | undefined
  close: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  const total = lengthOf(sample)
  return (
    <dialog ref={dialog} className="story" aria-label={`Request ${sample.request}`} onClose={close}>
      <h2>
        <b>Request #{sample.request}</b>
        <span className="end">{sample.serviceClass}</span>
      </h2>
      <p>{sentences(sample, limit).join(' ')}</p>
      <div className="bars timed">
        {phases.map((phase) => (
          <div key={phase}>
            <span>{phase}</span>
            <span className="bar" aria-hidden="true">
              <i
                style={{ width: `${total === 0 ? 0 : (sample[phase] / total) * 100}%`, background: `var(--${phase})` }}
              />
            </span>
            <span className="n">{text(duration(sample[phase]))}</span>
          </div>
        ))}
      </div>
      <form method="dialog">
        <span className="dim">{text(duration(total))} in all</span>
        <button type="submit">Close</button>
      </form>
    </dialog>
  )
}

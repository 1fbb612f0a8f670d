import { useRef } from 'react'
import { useWidth } from '../../figure/useWidth.ts'
import { duration, percent, text } from '../../format/quantity.ts'
import { numberOf } from '../evaluate.ts'
import type { Picture } from './picture.ts'

interface Work {
  stage: number
  batch: number
  from: number
  to: number
}

const most = 2000
const rowHeight = 26
const left = 60

/** Each micro-batch enters a stage when it has left the one before and the stage is free. */
export const pipelineWork = (stages: readonly number[], microbatches: number): Work[] => {
  const work: Work[] = []
  const freeAt = stages.map(() => 0)
  for (let batch = 0; batch < microbatches; batch += 1) {
    let ready = 0
    for (const [stage, seconds] of stages.entries()) {
      const from = Math.max(ready, freeAt[stage] ?? 0)
      ready = from + seconds
      freeAt[stage] = ready
      work.push({ stage, batch, from, to: ready })
    }
  }
  return work
}

const Drawn = ({
  stages,
  microbatches,
  utilization,
}: {
  stages: readonly number[]
  microbatches: number
  utilization: number | undefined
}) => {
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const work = pipelineWork(stages, microbatches)
  const end = Math.max(...work.map(({ to }) => to))
  const across = (seconds: number): number => left + (seconds / end) * (width - left - 12)
  const height = stages.length * rowHeight + 22
  const rows = stages.map((_, stage) => ({ name: `stage ${stage}`, y: stage * rowHeight + 17 }))
  return (
    <section className="panel figure" aria-label="Pipeline over time">
      <h2>
        <b>Pipeline over time</b>
        <span className="unit">
          {stages.length} stages, {microbatches} micro-batches
        </span>
      </h2>
      <div ref={place} className="plot" style={{ height }}>
        <svg role="img" aria-label="When each stage works on which micro-batch" width={width} height={height}>
          {rows.map(({ name, y }) => (
            <text key={name} className="line-name" x={8} y={y}>
              {name}
            </text>
          ))}
          {work.map(({ stage, batch, from, to }) => (
            <g key={`${stage}/${batch}`}>
              <rect
                x={across(from)}
                y={stage * rowHeight + 2}
                width={Math.max(0.5, across(to) - across(from) - 1)}
                height={rowHeight - 5}
                rx="2"
                fill={batch % 2 === 0 ? 'var(--decode)' : 'var(--p50)'}
              >
                <title>{`micro-batch ${batch} in stage ${stage}: ${text(duration(from))} to ${text(duration(to))}`}</title>
              </rect>
            </g>
          ))}
          <text className="line-name" x={left} y={height - 6}>
            0
          </text>
          <text className="line-name" x={width - 12} y={height - 6} textAnchor="end">
            {text(duration(end))}
          </text>
        </svg>
      </div>
      <p className="caption">
        Empty space is the bubble
        {utilization === undefined ? '' : `: ${text(percent(1 - utilization))} of the stages' time`}. More micro-batches
        fill it; a slow stage widens it.
      </p>
    </section>
  )
}

/** When each stage works on which micro-batch. */
export const pipelineChart: Picture = ({ typed, results }) => {
  const stages = (typed['stages'] ?? '')
    .split(',')
    .map(Number)
    .filter((seconds) => seconds > 0)
  const microbatches = Number(typed['microbatches'])
  if (stages.length === 0 || !(microbatches >= 1) || stages.length * microbatches > most)
    return stages.length * microbatches > most ? <p className="empty">Too many micro-batches to draw.</p> : null
  return <Drawn stages={stages} microbatches={microbatches} utilization={numberOf(results, 'utilization')} />
}

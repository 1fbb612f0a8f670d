import { useState } from 'react'
import { ChartPanel } from '../../chart/ChartPanel.tsx'
import type { Limit, LiveSeries, Mark } from '../../chart/liveChart.ts'
import { latency, percent, threeDigits, whole } from '../../format/quantity.ts'
import type { Column } from '../history.ts'
import { marksOf } from '../marks.ts'
import { type PromisedMetric, promisedText, strictest } from '../objectives.ts'
import type { LiveState } from '../session.ts'

const percentiles = (p50: Column, p90: Column, p99: Column): LiveSeries[] => [
  { column: p50, label: 'p50', colour: 'p50' },
  { column: p90, label: 'p90', colour: 'p90' },
  { column: p99, label: 'p99', colour: 'p99' },
]
const marks = (state: LiveState): readonly Mark[] => marksOf(state.events)
/** The promise on a metric, else on one that stands close to it. */
const limitOf =
  (...metrics: PromisedMetric[]) =>
  (state: LiveState): Limit | undefined => {
    for (const metric of metrics) {
      const promised = strictest(state.hello?.scenario, metric)
      if (promised !== undefined) return { value: promised.limit, text: promisedText(promised) }
    }
    return undefined
  }

/** Latencies in ms, or in s once the axis reaches `secondsFrom` seconds. */
const timed = (secondsFrom: number) => {
  const inSeconds = (top: number): boolean => top > secondsFrom * 0.999
  return {
    unit: (top: number): string => (inSeconds(top) ? 's' : 'ms'),
    tick: (value: number, top: number): string => {
      const shown = inSeconds(top) ? value : value * 1000
      return shown >= 1000 ? whole(shown) : String(Math.round(shown * 100) / 100)
    },
    read: (value: number | null | undefined, top: number): string => {
      if (value === null || value === undefined) return '–'
      return inSeconds(top) ? threeDigits(value) : latency(Math.min(value, 9.999)).digits
    },
    marks,
  }
}

const countTick = (value: number): string =>
  value >= 10_000
    ? `${Math.round(value / 100) / 10}k`
    : value >= 1000
      ? whole(value)
      : String(Math.round(value * 100) / 100)
const countReading = (value: number | null | undefined): string =>
  value === null || value === undefined
    ? '–'
    : value >= 100 || Number.isInteger(value)
      ? whole(value)
      : value.toFixed(1)
const shareTick = (value: number): string => String(Math.round(value * 100))
const shareReading = (value: number | null | undefined): string =>
  value === null || value === undefined ? '–' : percent(value).digits

const counted = (unit: string) => ({ unit: () => unit, tick: countTick, read: countReading, marks })

const storageKey = 'windtunnel.moreCharts'
const remembered = (): boolean => {
  try {
    return localStorage.getItem(storageKey) === 'yes'
  } catch {
    return false
  }
}

/** Latency above, work below: the charts of the live view, all on one time axis; and four more when asked. */
export const Charts = () => {
  const [more, setMore] = useState(remembered)
  const turn = () => {
    setMore(!more)
    try {
      localStorage.setItem(storageKey, more ? 'no' : 'yes')
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
  }
  return (
    <>
      <div className="charts" id="charts">
        <MainCharts />
        {more && <MoreCharts />}
      </div>
      <button type="button" className="more-charts" aria-expanded={more} aria-controls="charts" onClick={turn}>
        {more ? 'Fewer charts' : '4 more charts: queue time, prompt tokens, preemptions, cost'}
      </button>
    </>
  )
}

const MoreCharts = () => (
  <>
    <ChartPanel
      title="Queue time"
      series={percentiles('queueP50', 'queueP90', 'queueP99')}
      {...timed(10)}
      leastTop={0.05}
    />
    <ChartPanel
      title="Prompts"
      series={[{ column: 'inputTokensPerSecond', label: 'prefilled', colour: 'prefill', filled: true }]}
      {...counted('prompt tokens/s')}
      leastTop={10}
    />
    <ChartPanel
      title="Preemptions"
      series={[{ column: 'preemptionsPerSecond', label: 'preempted', colour: 'bad', filled: true }]}
      {...counted('per second')}
      leastTop={1}
    />
    <ChartPanel
      title="Cost"
      series={[{ column: 'costPerMillionTokens', label: 'cost', colour: 'kv', filled: true }]}
      {...counted('$ per M output tokens')}
      read={(value) => (value === null || value === undefined ? '–' : threeDigits(value))}
      leastTop={0.1}
    />
  </>
)

const MainCharts = () => (
  <>
    <ChartPanel
      title="TTFT"
      series={percentiles('ttftP50', 'ttftP90', 'ttftP99')}
      {...timed(10)}
      leastTop={0.05}
      limit={limitOf('ttft')}
    />
    <ChartPanel
      title="ITL"
      series={[
        ...percentiles('itlP50', 'itlP90', 'itlP99'),
        { column: 'tpotP99', label: 'TPOT', colour: 'ink', dashed: true, unkeyed: true },
      ]}
      {...timed(10)}
      unit={(top) => `${timed(10).unit(top)} · TPOT p99 dashed`}
      leastTop={0.01}
      limit={limitOf('itl', 'tpot')}
    />
    <ChartPanel
      title="Throughput"
      series={[{ column: 'outputTokensPerSecond', label: 'output', colour: 'decode', filled: true }]}
      {...counted('output tokens/s')}
      leastTop={10}
    />
    <ChartPanel
      title="Waiting"
      series={[
        { column: 'waiting', label: 'prefill', colour: 'prefill', filled: true },
        { column: 'transferring', label: 'transfer', colour: 'transfer' },
      ]}
      {...counted('requests')}
      leastTop={4}
    />
    <ChartPanel
      title="Running batch"
      series={[{ column: 'batch', label: 'batch', colour: 'decode', filled: true }]}
      {...counted('per replica')}
      leastTop={4}
    />
    <ChartPanel
      title="KV cache"
      series={[
        { column: 'kvUse', label: 'use', colour: 'kv', filled: true },
        { column: 'prefixHitRate', label: 'prefix hits', colour: 'p99' },
      ]}
      unit={() => '%'}
      tick={shareTick}
      read={shareReading}
      marks={marks}
      leastTop={1}
      fixedTop={1}
    />
    <ChartPanel
      title="E2E"
      series={percentiles('e2eP50', 'e2eP90', 'e2eP99')}
      {...timed(1)}
      leastTop={0.5}
      limit={limitOf('e2e')}
    />
    <ChartPanel
      title="Request rates"
      series={[
        { column: 'arrivalRate', label: 'in', colour: 'queue' },
        { column: 'requestsPerSecond', label: 'out', colour: 'p90' },
        { column: 'goodput', label: 'in time', colour: 'ok' },
      ]}
      {...counted('per second')}
      leastTop={1}
    />
  </>
)

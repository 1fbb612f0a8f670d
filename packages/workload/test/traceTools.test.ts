import { RandomStream } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import { readTrace, TraceFitter, type TraceRow, TraceSlice, traceWriters } from '../src/index.ts'
import { weibullShape } from '../src/traces/fit.ts'

const ROWS = [
  {
    arrivalSeconds: 1,
    inputTokens: 600,
    outputTokens: 5,
    maxTokens: 9,
    prefix: [
      [3, 512],
      [4, 88],
    ],
  },
  { arrivalSeconds: 1.25, inputTokens: 10, outputTokens: 6, session: 1, continues: true },
  { afterSeconds: 0.5, inputTokens: 30, outputTokens: 7, session: 1 },
]
const rowsOf = (...rows: object[]) =>
  readTrace(rows.map((row) => JSON.stringify(row)).join('\n'), { times: 'optional' })

describe('converting a trace', () => {
  const rows = rowsOf(...ROWS)
  it('to our JSONL and back keeps everything but the origin', () => {
    const lines = rows.map((row) => traceWriters.windtunnelJsonl.line(row, { seconds: 1, ticks: 0 }))
    const back = readTrace(lines.join('\n'))
    expect(back.map(({ time, line, ...row }) => row)).toEqual(rows.map(({ time, line, ...row }) => row))
    expect(back[1]!.time).toEqual({ seconds: 0, ticks: 2 ** 42 })
  })
  it('to our CSV keeps times, lengths and sessions', () => {
    const { header, line } = traceWriters.windtunnelCsv
    const text = [header, ...rows.map((row) => line(row, { seconds: 0, ticks: 0 }))].join('\n')
    expect(text.split('\n').slice(1)).toEqual(['1,600,5,9,,', '1.25,10,6,,1,', ',30,7,,1,0.5'])
    expect(readTrace(text).map((row) => [row.inputTokens, row.session, row.afterSeconds])).toEqual(
      rows.map((row) => [row.inputTokens, row.session, row.afterSeconds]),
    )
  })
  it('to Mooncake keeps block hashes, in milliseconds', () => {
    const line = traceWriters.mooncake.line(rows[0]!, { seconds: 0, ticks: 0 })
    expect(line).toBe('{"timestamp":1000,"input_length":600,"output_length":5,"hash_ids":[3,4]}')
    expect(readTrace(line)[0]!.runTokens).toEqual([512, 88])
  })
  it('says when a format cannot hold a row', () => {
    expect(() => traceWriters.vidur.line(rows[2]!, { seconds: 0, ticks: 0 })).toThrow('a row with a time of its own')
  })
})

describe('slicing a trace', () => {
  const kept = (slice: TraceSlice, rows: readonly TraceRow[]) =>
    rows.filter((row) => slice.keeps(row)).map((row) => row.inputTokens)
  const timed = rowsOf(...[10, 11, 12, 13].map((at) => ({ arrivalSeconds: at, inputTokens: at, outputTokens: 1 })))
  it('by time from the first row, and by rows', () => {
    expect(kept(new TraceSlice({ fromSeconds: 1, untilSeconds: 3 }), timed)).toEqual([11, 12])
    expect(kept(new TraceSlice({ maximumRows: 2 }), timed)).toEqual([10, 11])
  })
  it('keeps what waits for a kept row, and drops what waits for a dropped one', () => {
    const rows = rowsOf(...ROWS)
    expect(kept(new TraceSlice({ untilSeconds: 0.2 }), rows)).toEqual([600])
    expect(kept(new TraceSlice({ fromSeconds: 0.2 }), rows)).toEqual([10, 30])
  })
  it('at random, sessions whole', () => {
    const rows = rowsOf(
      ...Array.from({ length: 4000 }, (_, i) => ({
        arrivalSeconds: i,
        inputTokens: 1 + (i % 400),
        outputTokens: 1,
        session: `s${i % 400}`,
      })),
    )
    const lengths = kept(new TraceSlice({ keepShare: 0.25, seed: 3 }), rows)
    expect(lengths.length / 1000).toBeCloseTo(1, 0.7)
    expect(lengths.length).toBe(10 * new Set(lengths).size)
  })
})

describe('fitting a generator to a trace', () => {
  it('finds gamma gaps and lognormal lengths in a trace made of them, and says how near it came', () => {
    const random = new RandomStream(1, 'fit test')
    const fitter = new TraceFitter()
    const [row] = rowsOf(ROWS[0]!)
    let seconds = 0
    for (let i = 0; i < 20_000; i++) {
      seconds += random.gamma(0.25, 1)
      row!.time.seconds = Math.floor(seconds)
      row!.time.ticks = Math.round((seconds % 1) * 2 ** 44)
      row!.inputTokens = 1 + Math.round(Math.exp(6 + 0.8 * random.normal()))
      row!.outputTokens = 100
      fitter.add(row!)
    }
    const fit = fitter.fit()
    expect(fit.arrivals[0]!.part.name).toBe('gamma')
    expect(Number(fit.arrivals[0]!.part['cv']) / 2).toBeCloseTo(1, 1)
    expect(fit.arrivals[0]!.distance).toBeLessThan(0.03)
    expect(fit.arrivals.find(({ part }) => part.name === 'poisson')!.distance).toBeGreaterThan(0.2)
    expect(fit.input.find(({ part }) => part.name === 'lognormal')!.distance).toBeLessThan(0.03)
    expect(fit.output).toEqual([{ part: { name: 'fixed', tokens: 100 }, distance: 0 }])
    expect(fit.remarks[0]).toContain('share text')
  })
  it('Weibull gaps of cv 1 have shape 1, and none are so regular or wild as to have no shape', () => {
    expect(weibullShape(1)).toBeCloseTo(1, 9)
    expect(weibullShape(0)).toBeUndefined()
  })
})

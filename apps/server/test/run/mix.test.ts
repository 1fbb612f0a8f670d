import type { Frame, RunEvent } from '@windtunnel/protocol'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { expect, it } from 'vitest'
import { LiveRun } from '../../src/run/liveRun.ts'
import type { RunNews } from '../../src/run/runNews.ts'
import { prepareScenario } from '../../src/run/scenarioRun.ts'

const scenario = readScenario(`version: 1
model: llama-3.1-8b
fleet: [{ hardware: h100 }]
traffic:
  streams:
    - name: short
      arrivals: { name: constant, requestsPerSecond: 6 }
      structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 10 } }
    - name: long
      arrivals: { name: constant, requestsPerSecond: 2 }
      structure: { name: single, input: { name: fixed, tokens: 1000 }, output: { name: fixed, tokens: 10 } }
run: { durationSeconds: 100 }
`)

it('a change of the mix is acknowledged, marked, shown in the frames, and felt; a wrong one is refused with the reason', async () => {
  const news: RunNews[] = []
  let wall = 0
  const run = new LiveRun({
    run: 'demo',
    prepare: prepareScenario(scenario),
    tell: (one) => news.push(one),
    clock: () => wall,
    speed: 10,
    autostart: true,
  })
  const last = (): Frame => {
    const found = news.findLast((one) => one.kind === 'frame')
    return JSON.parse(found?.kind === 'frame' ? found.text : '')
  }
  const play = (seconds: number) => {
    for (const end = wall + seconds; wall < end; wall += 0.01) run.turn()
  }
  await run.open()
  const begun = news.find((one) => one.kind === 'begun')
  const mix = {
    streams: [
      { name: 'short', share: 0.75 },
      { name: 'long', share: 0.25 },
    ],
    promptScale: 1,
    outputScale: 1,
  }
  expect(begun).toMatchObject({ facts: { mix } })
  play(2)
  expect(last()).toMatchObject({ mix })
  // 6 of 100 tokens and 2 of 1,000 a second.
  expect(last().inputTokensPerSecond).toBeCloseTo(2600, -2)
  expect(await run.command({ type: 'mix', id: '1', weights: { short: 1, long: 3 } })).toMatchObject({
    type: 'ack',
    id: '1',
  })
  play(2)
  expect(last().mix?.streams).toEqual([
    { name: 'short', share: 0.25 },
    { name: 'long', share: 0.75 },
  ])
  expect(last().inputTokensPerSecond).toBeCloseTo(6200, -3)
  await run.command({ type: 'mix', id: '2', promptScale: 2 })
  play(2)
  expect(last().inputTokensPerSecond).toBeCloseTo(12_400, -3)
  expect(last().arrivalRate).toBeCloseTo(8, 0)
  expect(await run.command({ type: 'mix', id: '3', weights: { short: 1 } })).toMatchObject({
    type: 'error',
    id: '3',
    code: 'refused',
    message: 'mix.weights: expected a weight for each of short, long, found none for long.',
  })
  const events = news.flatMap((one) => (one.kind === 'event' ? [JSON.parse(one.text) as RunEvent] : []))
  expect(events.filter(({ kind }) => kind === 'mix').map(({ text }) => text)).toEqual([
    'mix short 25 %, long 75 %',
    'mix prompts x2',
  ])
})

import { addTicks, compareTime, copyTime, EventQueue, RandomStream, type Time, zeroTime } from '@windtunnel/des'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Ending,
  emptyDraft,
  type StreamSpec,
  type StructureName,
  structures,
  syntheticSource,
} from '../src/index.ts'

const length = (tokens: number) => ({ name: 'uniform', minimum: 1, maximum: tokens })
const input = length(300)
const output = length(40)

const examples = {
  agents: {
    name: 'agents',
    steps: length(4),
    task: input,
    toolResult: length(50),
    output,
    fanOutShare: 0.4,
    subSteps: length(2),
  },
  reasoning: { name: 'reasoning', input, thinking: length(500), answer: output },
  retrieval: {
    name: 'retrieval',
    documents: 20,
    document: length(100),
    documentsPerRequest: 3,
    question: length(9),
    output,
  },
  samples: {
    name: 'samples',
    samples: [
      { inputTokens: 5, outputTokens: 1 },
      { inputTokens: 50, outputTokens: 9 },
    ],
  },
  sessions: { name: 'sessions', turns: length(5), systemTokens: 20, input, output, thinkSeconds: 1 },
  sharedPrefix: { name: 'sharedPrefix', groups: 5, prefix: length(100), popularityExponent: 1, input, output },
  single: { name: 'single', input, output },
  windowed: {
    name: 'windowed',
    windowSeconds: 2,
    windows: [
      { input, output },
      { input: output, output: input },
    ],
  },
} as const satisfies Record<StructureName, { name: StructureName; [option: string]: unknown }>

const ENDINGS: readonly Ending[] = ['completed', 'completed', 'completed', 'cancelled', 'timedOut']

interface Seen {
  readonly seconds: number
  readonly ticks: number
  readonly inputTokens: number
  readonly outputTokens: number
  readonly prompt: number
  readonly session: number
}

/** Drives traffic with endings at random delays and checks what every source promises. */
function drive(streams: readonly StreamSpec[], seed: number, requests: number): Seen[] {
  const source = syntheticSource({ seed, streams, requests })
  const delays = new RandomStream(seed, 'delays')
  const endings = new EventQueue()
  const tags: number[] = []
  const last: Time = zeroTime()
  const next = zeroTime()
  const end = zeroTime()
  const draft = emptyDraft()
  const seen: Seen[] = []
  for (;;) {
    const arrives = source.peek(next)
    const ends = endings.peek(end)
    if (!arrives && !ends) return seen
    if (ends && (!arrives || compareTime(end, next) <= 0)) {
      const request = endings.subject
      endings.pop()
      copyTime(last, end)
      source.ended(tags[request]!, ENDINGS[delays.integer(ENDINGS.length)]!, end)
      continue
    }
    source.take(draft)
    expect(draft.arrival).toEqual(next)
    // Never back in time, and never before an ending that was already told.
    expect(compareTime(draft.arrival, last)).toBeGreaterThanOrEqual(0)
    copyTime(last, draft.arrival)
    expect(draft.inputTokens).toBeGreaterThanOrEqual(Math.max(1, source.tree.depthOf(draft.prompt)))
    expect(draft.outputTokens).toBeGreaterThanOrEqual(1)
    if (draft.output !== 0) {
      expect(source.tree.parentOf(draft.output)).toBe(draft.prompt)
      expect(source.tree.depthOf(draft.output)).toBe(draft.inputTokens + draft.outputTokens)
    }
    tags.push(draft.tag)
    const { inputTokens, outputTokens, prompt, session } = draft
    seen.push({ ...draft.arrival, inputTokens, outputTokens, prompt, session })
    addTicks(copyTime(end, draft.arrival), delays.integer(2 ** 46))
    endings.push(end.seconds, end.ticks, 0, 0, tags.length - 1)
  }
}

const arrivals = fc.constantFrom(
  { name: 'poisson', requestsPerSecond: 3 },
  { name: 'constant', requestsPerSecond: 4 },
  { name: 'closedLoop', users: 3, thinkSeconds: 0.25 },
  { name: 'allAtOnce', requests: 12 },
)

describe.each(Object.keys(structures) as StructureName[])('traffic of %s', (name) => {
  it('never goes back, names prompts within their length, ends, and is the same for the same seed', () => {
    fc.assert(
      fc.property(arrivals, arrivals, fc.integer({ min: 1, max: 1e6 }), (first, second, seed) => {
        const streams = [
          { arrivals: first, structure: examples[name] },
          { arrivals: second, structure: examples[name], roundTripSeconds: 0.125 },
        ]
        const seen = drive(streams, seed, 60)
        expect(seen.length).toBeGreaterThan(0)
        expect(seen).toEqual(drive(streams, seed, 60))
      }),
      { numRuns: 25 },
    )
  })
})

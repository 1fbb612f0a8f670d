import { addSeconds, copyTime, type Time, timeFromSeconds, toSeconds, zeroTime } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import {
  type Ending,
  emptyDraft,
  type RequestDraft,
  type RequestSource,
  type StreamSpec,
  syntheticSource,
} from '../src/index.ts'

const fixed = (tokens: number) => ({ name: 'fixed', tokens })
const batch = (requests: number) => ({ name: 'allAtOnce', requests })

const source = (...streams: StreamSpec[]) => syntheticSource({ seed: 1, streams })

/** Takes the next request, or says that none is known. */
function next(from: RequestSource): RequestDraft | undefined {
  const time = zeroTime()
  if (!from.peek(time)) return undefined
  const draft = emptyDraft()
  from.take(draft)
  expect(draft.arrival).toEqual(time)
  return draft
}

const take = (from: RequestSource): RequestDraft => {
  const draft = next(from)
  if (draft === undefined) throw new Error('no request is known')
  return draft
}

const end = (from: RequestSource, draft: RequestDraft, after: number, ending: Ending = 'completed'): Time => {
  const time = addSeconds(copyTime(zeroTime(), draft.arrival), after)
  from.ended(draft.tag, ending, time)
  return time
}

/** Tokens that two prompts have in common, by their nodes. */
function shared(from: RequestSource, a: RequestDraft, b: RequestDraft): number {
  const { tree } = from
  const path = new Set<number>([0])
  for (let node = a.prompt; node !== 0; node = tree.parentOf(node)) path.add(node)
  let node = b.prompt
  while (!path.has(node)) node = tree.parentOf(node)
  return tree.depthOf(node)
}

describe('single requests', () => {
  it('have their lengths, ask for all their output and share nothing', () => {
    const draft = take(
      source({ arrivals: batch(1), structure: { name: 'single', input: fixed(512), output: fixed(128) } }),
    )
    expect(draft).toEqual({ ...emptyDraft(), inputTokens: 512, outputTokens: 128, maxTokens: 128 })
  })
})

describe('lengths that are always 0', () => {
  const one = fixed(1)
  const zeros = { name: 'values', values: [{ tokens: 0 }] }
  it.each([
    ['single.input', { name: 'single', input: fixed(0), output: one }],
    ['single.output', { name: 'single', input: one, output: zeros }],
    ['reasoning.answer', { name: 'reasoning', input: one, thinking: zeros, answer: fixed(0) }],
    ['sharedPrefix.input', { name: 'sharedPrefix', groups: 1, prefix: fixed(0), input: fixed(0), output: one }],
    ['sessions.turns', { name: 'sessions', turns: fixed(0), input: one, output: one }],
    ['sessions.input', { name: 'sessions', turns: one, firstInput: one, input: fixed(0), output: one }],
    ['agents.task', { name: 'agents', steps: one, task: fixed(0), toolResult: one, output: one }],
    [
      'retrieval.question',
      { name: 'retrieval', documents: 1, document: one, documentsPerRequest: 1, question: fixed(0), output: one },
    ],
  ])('are refused for %s, for there are no requests without tokens', (where, structure) => {
    expect(() => source({ arrivals: batch(1), structure })).toThrow(`${where}: expected a length that is not always 0`)
  })

  it('may stand for a part of a prompt, and for windows without traffic', () => {
    const windows = [{ input: fixed(0), output: fixed(0) }]
    const idle = source({ arrivals: batch(1), structure: { name: 'windowed', windowSeconds: 1, windows } })
    expect(take(idle).inputTokens).toBe(1)
    const prefixed = { name: 'sharedPrefix', groups: 1, prefix: fixed(9), input: fixed(0), output: one }
    expect(take(source({ arrivals: batch(1), structure: prefixed })).inputTokens).toBe(9)
  })

  it('are refused like bounds that contradict each other', () => {
    const input = { name: 'normal', mean: 5, standardDeviation: 1, minimum: 10, maximum: 5 }
    expect(() => source({ arrivals: batch(1), structure: { name: 'single', input, output: one } })).toThrow(
      'at least the minimum of 10',
    )
  })
})

describe('joint samples', () => {
  it('keep each input with its output', () => {
    const samples = [
      { inputTokens: 10, outputTokens: 1 },
      { inputTokens: 20, outputTokens: 2, weight: 3 },
    ]
    const from = source({ arrivals: batch(1000), structure: { name: 'samples', samples } })
    let long = 0
    for (let draft = next(from); draft !== undefined; draft = next(from)) {
      expect(draft.inputTokens).toBe(draft.outputTokens * 10)
      if (draft.inputTokens === 20) long++
    }
    expect(long / 1000).toBeCloseTo(0.75, 1)
  })
})

describe('shared prefixes', () => {
  it('share the prefix within a group and nothing between groups', () => {
    const structure = { name: 'sharedPrefix', groups: 2, prefix: fixed(100), input: fixed(20), output: fixed(5) }
    const from = source({ arrivals: batch(40), structure })
    const drafts = Array.from({ length: 40 }, () => take(from))
    expect(new Set(drafts.map((draft) => draft.prompt)).size).toBe(2)
    for (const a of drafts) {
      for (const b of drafts) expect(shared(from, a, b)).toBe(a.prompt === b.prompt ? 100 : 0)
      expect(a.inputTokens).toBe(120)
    }
  })
  it('of two streams over one tree are different', () => {
    const structure = { name: 'sharedPrefix', groups: 1, prefix: fixed(100), input: fixed(20), output: fixed(5) }
    const from = source({ arrivals: batch(1), structure, tenant: 0 }, { arrivals: batch(1), structure, tenant: 1 })
    expect(shared(from, take(from), take(from))).toBe(0)
  })
})

describe('sessions', () => {
  const structure = {
    name: 'sessions',
    turns: fixed(3),
    systemTokens: 50,
    input: fixed(10),
    output: fixed(7),
    thinkSeconds: 2,
    think: 'fixed',
  }
  it('grow by the last answer and the new words, and wait for the answer and the pause', () => {
    const from = source({ arrivals: batch(1), structure })
    const first = take(from)
    expect([first.inputTokens, first.session]).toEqual([60, 1])
    expect(next(from)).toBeUndefined()
    end(from, first, 1.5)
    const second = take(from)
    expect(toSeconds(second.arrival)).toBe(3.5)
    expect(second.inputTokens).toBe(60 + 7 + 10)
    expect(shared(from, first, second)).toBe(60)
    // The answer of the first turn is text of the second.
    expect(from.tree.parentOf(second.prompt)).toBe(first.output)
    end(from, second, 1)
    const third = take(from)
    expect(third.inputTokens).toBe(94)
    expect(third.prompt).toBe(second.output)
    expect(third.output).toBe(0)
    end(from, third, 1)
    expect(next(from)).toBeUndefined()
  })
  it('end when the client leaves', () => {
    const from = source({ arrivals: batch(1), structure })
    end(from, take(from), 1, 'cancelled')
    expect(next(from)).toBeUndefined()
  })
  it('end at the longest context', () => {
    const from = source({ arrivals: batch(1), structure: { ...structure, maximumContextTokens: 80 } })
    end(from, take(from), 1)
    end(from, take(from), 1)
    expect(next(from)).toBeUndefined()
  })
  it('of a closed loop release the user only after the last turn', () => {
    const from = source({
      arrivals: { name: 'closedLoop', users: 1, thinkSeconds: 100 },
      structure: { ...structure, turns: fixed(2) },
    })
    end(from, take(from), 1)
    const second = take(from)
    expect(second.session).toBe(1)
    end(from, second, 1)
    const another = take(from)
    expect(another.session).toBe(2)
    expect(toSeconds(another.arrival)).toBe(1 + 2 + 1 + 100)
  })
  it('carry ticks exactly through an ending and a pause', () => {
    const from = source({ arrivals: batch(1), structure: { ...structure, thinkSeconds: 0.25 } })
    from.ended(take(from).tag, 'completed', { seconds: 7, ticks: 3 })
    expect(take(from).arrival).toEqual({ seconds: 7, ticks: 3 + 2 ** 42 })
  })
  it('wait for the network too', () => {
    const from = source({ arrivals: batch(1), structure, roundTripSeconds: 0.5 })
    end(from, take(from), 1)
    expect(toSeconds(take(from).arrival)).toBe(3.5)
  })
})

describe('retrieval', () => {
  const structure = {
    name: 'retrieval',
    systemTokens: 30,
    documents: 4,
    document: fixed(100),
    documentsPerRequest: 2,
    popularityExponent: 0,
    question: fixed(9),
    output: fixed(5),
  }
  it('puts different documents before a question', () => {
    const from = source({ arrivals: batch(50), structure })
    for (let draft = next(from); draft !== undefined; draft = next(from)) {
      expect(draft.inputTokens).toBe(30 + 200 + 9)
      expect(from.tree.depthOf(draft.prompt)).toBe(230)
    }
  })
  it('finds different documents even when one is all that ever comes up', () => {
    const from = source({ arrivals: batch(5), structure: { ...structure, popularityExponent: 5000 } })
    expect(take(from).prompt).toBe(take(from).prompt)
  })
  it('shares more when documents are sorted: 6 orders of 2 of 4 and not 12', () => {
    const paths = (order: string) => {
      const from = source({ arrivals: batch(500), structure: { ...structure, order } })
      return new Set(Array.from({ length: 500 }, () => take(from).prompt)).size
    }
    expect(paths('ranked')).toBe(12)
    expect(paths('sorted')).toBe(6)
  })
})

describe('agents', () => {
  const structure = {
    name: 'agents',
    systemTokens: 100,
    steps: fixed(2),
    task: fixed(10),
    toolResult: fixed(40),
    output: fixed(5),
    toolSeconds: 3,
  }
  it('call again with the result of a tool after its time', () => {
    const from = source({ arrivals: batch(1), structure })
    const first = take(from)
    expect(first.inputTokens).toBe(110)
    const ended = end(from, first, 1)
    const second = take(from)
    expect(second.inputTokens).toBe(110 + 5 + 40)
    expect(toSeconds(second.arrival)).toBeGreaterThan(toSeconds(ended))
    end(from, second, 1)
    expect(next(from)).toBeUndefined()
  })
  it('fan out into sub-agents and go on when the last of them is done', () => {
    const from = source({
      arrivals: batch(1),
      structure: { ...structure, fanOutShare: 1, subAgents: 3, subSteps: fixed(1) },
    })
    const ended = end(from, take(from), 1)
    const subs = [take(from), take(from), take(from)]
    expect(next(from)).toBeUndefined()
    for (const sub of subs) {
      expect(sub.arrival).toEqual(ended)
      expect(sub.inputTokens).toBe(110)
      expect(shared(from, subs[0]!, sub)).toBe(sub === subs[0] ? 110 : 100)
    }
    end(from, subs[1]!, 1)
    end(from, subs[0]!, 5)
    expect(next(from)).toBeUndefined()
    const last = end(from, subs[2]!, 9)
    const joined = take(from)
    expect(joined.arrival).toEqual(last)
    expect(joined.inputTokens).toBe(110 + 5 + 3 * 40)
  })
})

describe('reasoning', () => {
  it('generates the thoughts and the answer', () => {
    const structure = { name: 'reasoning', input: fixed(10), thinking: fixed(1000), answer: fixed(50) }
    expect(take(source({ arrivals: batch(1), structure })).outputTokens).toBe(1050)
  })
})

describe('clients and tenants', () => {
  const one = { name: 'single', input: fixed(8), output: fixed(4) }
  it('mark requests with tenant, class, priority, limit and patience', () => {
    const from = source({
      arrivals: batch(10000),
      structure: one,
      tenant: 2,
      serviceClass: 1,
      priority: -3,
      maxTokens: 3,
      timeoutSeconds: 60,
      cancelShare: 0.5,
      patienceSeconds: 4,
    })
    let cancels = 0
    let patience = 0
    for (let draft = next(from); draft !== undefined; draft = next(from)) {
      expect([draft.tenant, draft.serviceClass, draft.priority, draft.maxTokens, draft.timeoutSeconds]).toEqual([
        2, 1, -3, 3, 60,
      ])
      if (draft.cancelAfterSeconds === Number.POSITIVE_INFINITY) continue
      cancels++
      patience += draft.cancelAfterSeconds
    }
    expect(cancels / 10000).toBeCloseTo(0.5, 1)
    expect(patience / cancels / 4).toBeCloseTo(1, 0.7)
  })
  it('of several streams come in order of time, end at their own stream and keep sessions apart', () => {
    const talk = {
      name: 'sessions',
      turns: fixed(2),
      input: fixed(10),
      output: fixed(7),
      thinkSeconds: 1,
      think: 'fixed',
    }
    const from = source(
      { arrivals: { name: 'constant', requestsPerSecond: 1 }, structure: talk, tenant: 0 },
      { arrivals: { name: 'constant', requestsPerSecond: 2 }, structure: talk, tenant: 1 },
    )
    const drafts = [take(from), take(from), take(from)]
    expect(drafts.map((draft) => [draft.tenant, toSeconds(draft.arrival)])).toEqual([
      [0, 0],
      [1, 0],
      [1, 0.5],
    ])
    expect(new Set(drafts.map((draft) => draft.session)).size).toBe(3)
    from.ended(drafts[1]!.tag, 'completed', timeFromSeconds(0.75))
    take(from) // both streams at 1 s
    take(from)
    take(from) // 1.5 s
    const followUp = take(from)
    expect([followUp.tenant, followUp.session, toSeconds(followUp.arrival)]).toEqual([1, drafts[1]!.session, 1.75])
  })
  it('are steered together, each keeping its share', () => {
    const from = source(
      { arrivals: { name: 'constant', requestsPerSecond: 1 }, structure: one, tenant: 0 },
      { arrivals: { name: 'constant', requestsPerSecond: 3 }, structure: one, tenant: 1 },
    )
    expect(from.meanRate).toBe(4)
    from.setRate(8, zeroTime())
    const counts = [0, 0]
    for (let draft = take(from); toSeconds(draft.arrival) < 100; draft = take(from)) counts[draft.tenant]!++
    expect(counts).toEqual([200, 600])
  })
  it('stop after the wanted number of requests, or before the wanted time', () => {
    const stream = { arrivals: { name: 'constant', requestsPerSecond: 2 }, structure: one }
    const few = syntheticSource({ seed: 1, streams: [stream], requests: 3 })
    expect([take(few), take(few), take(few)].map((draft) => toSeconds(draft.arrival))).toEqual([0, 0.5, 1])
    expect(next(few)).toBeUndefined()
    const early = syntheticSource({ seed: 1, streams: [stream], untilSeconds: 1 })
    expect([take(early), take(early)].map((draft) => toSeconds(draft.arrival))).toEqual([0, 0.5])
    expect(next(early)).toBeUndefined()
  })
})

describe('random streams', () => {
  it('are apart: other lengths do not move arrivals, other arrivals do not move lengths', () => {
    const lengths = { name: 'lognormal', mean: 100, cv: 1 }
    const draw = (rate: number, output: object) => {
      const from = source({
        arrivals: { name: 'poisson', requestsPerSecond: rate },
        structure: { name: 'single', input: lengths, output },
      } as StreamSpec)
      return Array.from({ length: 100 }, () => take(from))
    }
    const a = draw(5, fixed(10))
    const b = draw(5, { name: 'uniform', minimum: 1, maximum: 9 })
    const c = draw(50, fixed(10))
    expect(a.map((draft) => draft.arrival)).toEqual(b.map((draft) => draft.arrival))
    expect(a.map((draft) => draft.inputTokens)).toEqual(c.map((draft) => draft.inputTokens))
  })
})

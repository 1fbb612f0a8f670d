import { timeFromSeconds } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import type { JetstreamEngine } from '../../src/engines/jetstream/jetstreamEngine.ts'
import { disaggregated, interleaved, type JetstreamOptions } from '../../src/index.ts'
import { type Line, plainCost, start } from '../reference/timeline.ts'

/** One prefill and one generate engine with two slots; a copy takes half a second, inserts and detokenising nothing. */
const options: JetstreamOptions = {
  prefillEngines: 1,
  generateEngines: 1,
  maxSequences: 2,
  blockSize: 16,
  totalBlocks: 100,
  maxModelLength: 128,
  prefixCache: false,
  buckets: [16, 32, 64],
  maxPrefillLength: 100,
  chunkTokens: 0,
  prefillBacklog: 0,
  transferBacklog: 1,
  generateBacklog: 1,
  detokeniseBacklog: 8,
  target: 'minBacklog',
  slotCost: 'every',
  strict: false,
  kvBytesPerToken: 1000,
  transferBytesPerSecond: Number.POSITIVE_INFINITY,
  transferLatencySeconds: 0.5,
  insertBytesPerSecond: Number.POSITIVE_INFINITY,
  detokeniseSecondsPerStep: 0,
  detokeniseSecondsPerSequence: 0,
}

const trie = {
  deviceBytes: 64e3,
  hostBytes: 96e3,
  hostBytesPerSecond: 32e3,
  copyBytesPerSecond: Number.POSITIVE_INFINITY,
}

/** A step takes 1 s, a padded prompt token 1/64 s: a prompt in the bucket of 16 takes 0.25 s. */
const cost = plainCost(1, 1 / 64)

function run(kind: typeof disaggregated, lines: readonly Line[], changes: Partial<JetstreamOptions> = {}) {
  const started = start(lines, cost, (context) => kind.create(context, { ...options, ...changes }))
  const inside = () => (started.engine as JetstreamEngine).inside()
  return { ...started, inside }
}

describe('JetStream disaggregated, eight requests by hand', () => {
  const outputs = [5, 5, 3, 2, 2, 2, 2, 2]
  const lines: Line[] = outputs.map((output) => ({ at: 0, input: 10, output }))

  /*
   * P prefill thread, T transfer thread, G generate thread. Backlogs of T and G hold one request each.
   *  0.25  0 prefilled; T copies it to 0.75; P takes 1
   *  0.5   1 prefilled, waits for T; P takes 2
   *  0.75  2 prefilled, T's backlog is full; T puts 0 into G's backlog and copies 1 to 1.25; G inserts 0, step to 1.75;
   *        2 enters T's backlog; P takes 3
   *  1.0   3 prefilled: P is blocked with it
   *  1.25  1 copied, into G's backlog; T copies 2 to 1.75; 3 enters T's backlog; P takes 4
   *  1.5   4 prefilled: P is blocked with it
   *  1.75  step 1 ends (0); 2 copied, G's backlog is full until G inserts 1; step to 2.75; T copies 3 to 2.25; P takes 5
   *  2.0   5 prefilled: P is blocked with it
   *  2.25  3 copied: T is blocked with it. Now everything is full: slots 0 and 1, G's backlog 2, T 3, T's backlog 4, P 5,
   *        and 6 and 7 in the prefill backlog
   *  2.75, 3.75  steps for 0 and 1
   *  4.75  0 ends (5 tokens); G inserts 2, step to 5.75; T puts 3, copies 4 to 5.25; P hands 5 on and takes 6 to 5.0
   *  5.75  1 ends (5 tokens); G inserts 3; T, blocked with 4 since 5.25, puts it, copies 5 to 6.25; P takes 7 to 6.0
   *  6.75  2 and 3 end; G inserts 4 and finds its backlog empty: T, blocked with 5, comes too late for this step
   *  7.75  4 ends, 5 inserted;  8.75  5 ends, 6 inserted;  9.75  6 ends, 7 inserted;  10.75  7 ends
   */
  it('fills the chain of queues, blocks every thread, and drains it again', () => {
    const { timeline, inside, simulation, runTo } = run(disaggregated, lines)
    runTo(1.1)
    expect(inside()).toMatchObject({
      prefill: ['blockedOnTransfer'],
      transfer: [{ state: 'copying', backlog: 1 }],
      generate: [{ state: 'stepping', backlog: 0, freeSlots: 1 }],
    })
    runTo(2.5)
    expect(inside()).toEqual({
      prefill: ['blockedOnTransfer'],
      transfer: [{ state: 'blockedOnBacklog', backlog: 1 }],
      generate: [{ state: 'stepping', backlog: 1, freeSlots: 0 }],
      detokenise: [{ working: false, backlog: 0 }],
    })
    expect(simulation.view().replicas[0]).toMatchObject({ running: 6, waiting: 2, usedBlocks: 16, totalBlocks: 16 })
    runTo(6.5)
    expect(simulation.view().replicas[0]).toMatchObject({ running: 6, waiting: 0 })
    runTo(20)
    expect(inside()).toEqual({
      prefill: ['idle'],
      transfer: [{ state: 'idle', backlog: 0 }],
      generate: [{ state: 'waiting', backlog: 0, freeSlots: 2 }],
      detokenise: [{ working: false, backlog: 0 }],
    })
    expect(simulation.nextEventAt(timeFromSeconds(0))).toBe(false)
    expect(timeline.admittedAt).toEqual([0, 0.25, 0.5, 0.75, 1.25, 1.75, 4.75, 5.75])
    expect(timeline.firstAt).toEqual([0.25, 0.5, 0.75, 1, 1.5, 2, 5, 6])
    expect(timeline.transfers).toEqual([
      [0, 0.25, 0.75],
      [1, 0.75, 1.25],
      [2, 1.25, 1.75],
      [3, 1.75, 2.25],
      [4, 4.75, 5.25],
      [5, 5.75, 6.25],
      [6, 6.75, 7.25],
      [7, 7.75, 8.25],
    ])
    expect(timeline.endedAt).toEqual([4.75, 5.75, 6.75, 6.75, 7.75, 8.75, 9.75, 10.75])
    // Ten steps of two slots each, though eight tokens of the last four steps' slots go to nobody.
    expect(timeline.decodeSteps).toEqual(
      [0.75, 1.75, 2.75, 3.75, 4.75, 5.75, 6.75, 7.75, 8.75, 9.75].map((at) => [at, 2]),
    )
    // First gaps hold the waits: 0 1.75 - 0.25, 1 2.75 - 0.5, 2 5.75 - 0.75, 3 6.75 - 1, and so on; the other seven are steps.
    expect(timeline.gapCounts()).toEqual({ 1: 7, 1.5: 1, 2.25: 1, 5: 1, 5.75: 1, 6.25: 1, 6.75: 1, 4.75: 2 })
  })
})

describe('JetStream interleaved, six requests by hand', () => {
  const lines: Line[] = [
    { at: 0, input: 10, output: 3 },
    { at: 0, input: 10, output: 4 },
    { at: 0, input: 10, output: 2 },
    { at: 3, input: 10, output: 2 },
    { at: 3, input: 10, output: 3 },
    { at: 3.125, input: 10, output: 1 },
  ]

  /*
   *  0     prefill 0 to 0.25
   *  0.25  prefill 1 to 0.5; 0 is in G's hand, which stands in line for the device
   *  0.5   P wants the device for 2, but G stood in line first: insert 0 (no time), then prefill 2 to 0.75; G holds 1
   *  0.75  insert 1; the slots are full: step to 1.75, while 2 waits in G's backlog
   *  1.75  step for 0 and 1
   *  2.75  0 ends (3 tokens); insert 2; step for 1 and 2 to 3.75. At 3 prompts 3 and 4 come, 5 at 3.125: 3 stands in line
   *  3.75  1 ends (4), 2 ends (2); prefill 3 to 4.0; G waits, all its slots are free
   *  4.0   prefill 4 to 4.25;  4.25  insert 3, prefill 5 to 4.5
   *  4.5   5 ends with its first token; insert 4; step for 3 and 4 to 5.5
   *  5.5   3 ends (2);  6.5  4 ends (3)
   */
  it('gives the device to prompts, until the slots are full or none waits', () => {
    const { timeline, runTo } = run(interleaved, lines)
    runTo(20)
    expect(timeline.admittedAt).toEqual([0, 0.25, 0.5, 3, 4, 4.25])
    expect(timeline.prefills.map(([from, to]) => [from, to])).toEqual([
      [0, 0.25],
      [0.25, 0.5],
      [0.5, 0.75],
      [3.75, 4],
      [4, 4.25],
      [4.25, 4.5],
    ])
    expect(timeline.firstAt).toEqual([0.25, 0.5, 0.75, 4, 4.25, 4.5])
    expect(timeline.decodeSteps.map(([at]) => at)).toEqual([0.75, 1.75, 2.75, 4.5, 5.5])
    expect(timeline.endedAt).toEqual([2.75, 3.75, 3.75, 5.5, 6.5, 4.5])
    // 0: 1.5 and 1; 1: 1.25, 1, 1; 2: 3; 3: 1.5; 4: 1.25 and 1.
    expect(timeline.gapCounts()).toEqual({ 1: 4, 1.25: 2, 1.5: 2, 3: 1 })
    expect(timeline.transfers).toEqual([])
  })
})

describe("JetStream's defects, strict and corrected", () => {
  /*
   * One slot, no copy time, 0.25 s to detokenise. 0 is inserted at 0.25; its steps end at 1.25 and 2.25, and its last token is
   * read at 2.5. Corrected, 1 is inserted at 2.25, and its one step is read at 3.5. Strict, the slot is back at 2.5 only: the
   * step from 2.25 to 3.25 is wasted, 1 is inserted at 3.25, read at 4.5, and the step from 4.25 to 5.25 is wasted again.
   */
  it('give a slot back when its last token is detokenised, or when it is made', () => {
    const lines: Line[] = [
      { at: 0, input: 10, output: 3 },
      { at: 0, input: 10, output: 2 },
    ]
    const changes = { maxSequences: 1, transferLatencySeconds: 0, detokeniseSecondsPerStep: 0.25 }
    const corrected = run(disaggregated, lines, changes)
    corrected.runTo(20)
    expect(corrected.timeline.firstAt).toEqual([0.5, 0.75])
    expect(corrected.timeline.endedAt).toEqual([2.5, 3.5])
    expect(corrected.timeline.decodeSteps.map(([at]) => at)).toEqual([0.25, 1.25, 2.25])
    const strict = run(disaggregated, lines, { ...changes, strict: true })
    strict.runTo(20)
    expect(strict.timeline.firstAt).toEqual([0.5, 0.75])
    expect(strict.timeline.endedAt).toEqual([2.5, 4.5])
    expect(strict.timeline.decodeSteps.map(([at]) => at)).toEqual([0.25, 1.25, 2.25, 3.25, 4.25])
  })

  it('decode a request that ended on its first token, or let it go', () => {
    const lines: Line[] = [{ at: 0, input: 10, output: 1 }]
    const corrected = run(disaggregated, lines)
    corrected.runTo(20)
    expect(corrected.timeline).toMatchObject({ firstAt: [0.25], endedAt: [0.25], transfers: [], decodeSteps: [] })
    // Strict: copied to 0.75, decoded to 1.75; the token of that step is not counted.
    const strict = run(disaggregated, lines, { strict: true })
    strict.runTo(20)
    expect(strict.timeline).toMatchObject({ firstAt: [0.25], endedAt: [1.75], decodeSteps: [[0.75, 2]], gaps: [] })
    expect(strict.timeline.endings).toEqual(['completed 1'])
  })

  /*
   * Interleaved. 0 decodes from 0.25, one step to 1.25. At 1 prompt 1 stands in line for the device, and 2 waits in the
   * prefill backlog: at 1.25 the generate thread waits for a prefix with its slot live. But 2 leaves at 1.375, and 1 at 1.4375,
   * to be dropped when its prefill ends at 1.5. Corrected, the next step runs from 1.5 to 2.5. Strict, the thread looks again at 2.25:
   * the step runs to 3.25.
   */
  it('stall a generate thread that waits for a prefix that never comes, for a second', () => {
    const lines: Line[] = [
      { at: 0, input: 10, output: 3 },
      { at: 1, input: 10, output: 3, cancelAfter: 0.4375 },
      { at: 1, input: 10, output: 3, cancelAfter: 0.375 },
    ]
    const corrected = run(interleaved, lines)
    corrected.runTo(20)
    expect(corrected.timeline.endedAt).toEqual([2.5, 1.4375, 1.375])
    const strict = run(interleaved, lines, { strict: true })
    strict.runTo(1.3)
    expect(strict.inside().generate).toEqual([{ state: 'waiting', backlog: 0, freeSlots: 1 }])
    strict.runTo(20)
    expect(strict.timeline.endedAt).toEqual([3.25, 1.4375, 1.375])
  })

  it('refuse nothing for a long backlog, or what exceeds its bound', () => {
    const lines: Line[] = [0, 0.1, 0.2].map((at) => ({ at, input: 10, output: 1 }))
    const corrected = run(disaggregated, lines, { prefillBacklog: 1 })
    corrected.runTo(20)
    expect(corrected.timeline.endings).toEqual(['completed 1', 'completed 1', 'rejected 0'])
    expect(() => run(disaggregated, lines, { prefillBacklog: 1, strict: true })).toThrow('never works in JetStream')
  })

  it('cut a prompt that is too long, or refuse it', () => {
    const lines: Line[] = [{ at: 0, input: 60, output: 1 }]
    const corrected = run(disaggregated, lines, { maxPrefillLength: 40 })
    corrected.runTo(20)
    expect(corrected.timeline.endings).toEqual(['rejected 0'])
    // Cut to 40 tokens, in the last bucket, which is cut to 40 as well: 40 / 64 = 0.625 s.
    const strict = run(disaggregated, lines, { maxPrefillLength: 40, strict: true })
    strict.runTo(20)
    expect(strict.timeline).toMatchObject({ firstAt: [0.625], prefills: [[0, 0.625, 40]] })
  })

  it('have no detokenise thread for the first tokens of surplus prefill engines, or share', () => {
    expect(() => run(disaggregated, [], { prefillEngines: 2, strict: true })).toThrow('set strict to false')
    const lines: Line[] = [0, 0].map((at) => ({ at, input: 10, output: 2 }))
    const shared = run(disaggregated, lines, { prefillEngines: 2 })
    shared.runTo(20)
    expect(shared.timeline.firstAt).toEqual([0.25, 0.25])
  })
})

describe('the threads of a JetStream server', () => {
  /*
   * 3 s to detokenise, and room for one result. The first token is read from 0.25 to 3.25; the new slot waits in the queue, so
   * the step that ends at 1.25 finds it full. At 3.25 the slot is activated and step 1 read to 6.25; step 2 (3.25 to 4.25) waits in
   * the queue, step 3 (4.25 to 5.25) blocks the generate thread to 6.25.
   */
  it('make steps wait for a detokenise thread that is slower than they are', () => {
    const { timeline, inside, runTo } = run(disaggregated, [{ at: 0, input: 10, output: 5 }], {
      transferLatencySeconds: 0,
      detokeniseSecondsPerStep: 3,
      detokeniseBacklog: 1,
    })
    runTo(2)
    expect(inside().generate[0]!.state).toBe('blockedOnDetokenise')
    expect(inside().detokenise).toEqual([{ working: true, backlog: 1 }])
    runTo(5)
    expect(inside().generate[0]!.state).toBe('stepping')
    runTo(6)
    expect(inside().generate[0]!.state).toBe('blockedOnDetokenise')
    runTo(30)
    expect(timeline.decodeSteps.map(([at]) => at)).toEqual([0.25, 3.25, 4.25, 6.25])
    expect(timeline.gapCounts()).toEqual({ 3: 4 })
    expect(timeline.endedAt).toEqual([15.25])
  })

  /*
   * Interleaved, 1.25 s to detokenise, steps of 1 s. First token read at 1.5, steps 0 and 1 (0.25 to 2.25) at 2.75 and 4. Prompt 1
   * (100 tokens, 1.5625 s) has the device from 2.25 to 3.8125, for nothing: its client has left. Steps 2, 3 and 4 end at
   * 4.8125, 5.8125 and 6.8125; the thread, idle since 4, reads the first from 4.8125 to 6.0625, the others to 7.3125 and 8.5625.
   */
  it('let the detokenise thread catch up, and fall behind again', () => {
    const { timeline, runTo } = run(
      interleaved,
      [
        { at: 0, input: 10, output: 6 },
        { at: 2, input: 100, output: 2, cancelAfter: 0.1 },
      ],
      { detokeniseSecondsPerStep: 1.25 },
    )
    runTo(20)
    expect(timeline.firstAt).toEqual([1.5])
    expect(timeline.gapCounts()).toEqual({ 1.25: 4, 2.0625: 1 })
    expect(timeline.endedAt[0]).toBe(8.5625)
  })

  it('block a prefill thread whose first token finds the detokenise queue full', () => {
    const { timeline, inside, runTo } = run(
      disaggregated,
      [0, 0, 0].map((at) => ({ at, input: 10, output: 1 })),
      { detokeniseSecondsPerStep: 3, detokeniseBacklog: 1 },
    )
    // First tokens are ready at 0.25, 0.5 and 0.75: the first is being read, the second waits, the third blocks.
    runTo(1)
    expect(inside().prefill).toEqual(['blockedOnDetokenise'])
    runTo(20)
    expect(timeline.firstAt).toEqual([3.25, 6.25, 9.25])
  })

  it('choose the engine with the shortest backlog, or the one with the most free slots', () => {
    const lines: Line[] = [0, 1].map((at) => ({ at, input: 10, output: 9 }))
    const free = (target: JetstreamOptions['target']): number[] => {
      const { inside, runTo } = run(disaggregated, lines, { generateEngines: 2, target })
      runTo(3)
      return inside().generate.map(({ freeSlots }) => freeSlots)
    }
    expect(free('minBacklog')).toEqual([0, 2])
    expect(free('mostFreeSlots')).toEqual([1, 1])
  })

  it('pad prompts to buckets, or compute them in chunks of fixed size', () => {
    const lines: Line[] = [{ at: 0, input: 40, output: 1 }]
    const whole = run(disaggregated, lines)
    whole.runTo(20)
    expect(whole.timeline.prefills).toEqual([[0, 1, 64]])
    const chunked = run(disaggregated, lines, { chunkTokens: 16 })
    chunked.runTo(20)
    expect(chunked.timeline.prefills).toEqual([
      [0, 0.25, 16],
      [0.25, 0.5, 16],
      [0.5, 0.75, 16],
    ])
  })

  it('copy and insert the padded prefix', () => {
    // 16 tokens of 1000 bytes: 0.25 s over a link of 64 kB/s after 0.5 s of latency, 0.5 s into the slot at 32 kB/s.
    const { timeline, runTo } = run(disaggregated, [{ at: 0, input: 10, output: 2 }], {
      transferBytesPerSecond: 64e3,
      insertBytesPerSecond: 32e3,
    })
    runTo(20)
    expect(timeline.transfers).toEqual([[0, 0.25, 1]])
    expect(timeline.decodeSteps.map(([at]) => at)).toEqual([1.5])
    expect(timeline.endedAt).toEqual([2.5])
  })

  it('skip the steps of a steady decode', () => {
    const lines: Line[] = [
      { at: 0, input: 10, output: 50_000 },
      { at: 10_000.5, input: 10, output: 2 },
    ]
    for (const detokeniseSecondsPerStep of [0, 0.25]) {
      const { timeline, simulation } = run(disaggregated, lines, {
        maxModelLength: 60_000,
        totalBlocks: 10_000,
        detokeniseSecondsPerStep,
      })
      // 50,000 steps of 1 s; runs are cut below 256 s so that their times stay exact.
      const events = simulation.runUntil(timeFromSeconds(100_000), 1e6)
      expect(events).toBeLessThan(2000)
      expect(timeline.endedAt[0]).toBe(0.75 + 49_999 + detokeniseSecondsPerStep)
    }
  })

  it('hold the KV memory of their slots and refuse options that contradict each other', () => {
    expect(() => run(disaggregated, [], { totalBlocks: 15 })).toThrow('2 slots of 128 tokens need 16 KV blocks')
    expect(() => run(interleaved, [], { prefillEngines: 2 })).toThrow('must equal')
    expect(() => run(disaggregated, [], { prefixCache: true })).toThrow('needs its sizes')
    expect(() => run(disaggregated, [], { prefixCache: true, prefixTrie: trie })).toThrow('set chunkTokens')
    const small = { ...trie, hostBytes: 1 }
    expect(() => run(disaggregated, [], { chunkTokens: 16, prefixCache: true, prefixTrie: small })).toThrow(
      'prefixCacheHostBytes 1',
    )
  })
})

import { setSeconds, timeFromSeconds, toSeconds } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import {
  createSimulation,
  type PoolConfig,
  routers,
  schedulers,
  type TransferConfig,
  type VllmOptions,
  vllm,
} from '../../src/index.ts'
import { FairLinks } from '../../src/transfer/fairLinks.ts'
import { listed } from '../reference/randomTraffic.ts'
import { plainCost, Timeline } from '../reference/timeline.ts'

const NO_END = -1

/** Runs links to the end: [slot, seconds] of every transfer that ends. */
function endsOf(links: FairLinks): [number, number][] {
  const ends: [number, number][] = []
  const at = { seconds: 0, ticks: 0 }
  while (links.nextEvent(at)) {
    const slot = links.handle({ ...at })
    if (slot !== NO_END) ends.push([slot, toSeconds(at)])
  }
  return ends
}

describe('a fabric of shared links', () => {
  it('halves the egress link while two caches leave a replica, and hands it back', () => {
    const links = new FairLinks({ bytesPerSecond: 100, latencySeconds: 0 })
    links.request(7, 0, 2, 100, 100, timeFromSeconds(0))
    links.handle(timeFromSeconds(0))
    links.request(8, 0, 3, 100, 100, timeFromSeconds(0.5))
    // Alone for 0.5 s: 50 bytes. Then 50 B/s each: the first ends at 1.5 s; the second has 50 bytes left at 100 B/s.
    expect(endsOf(links)).toEqual([
      [7, 1.5],
      [8, 2],
    ])
  })

  it('halves the ingress link while two caches enter a replica, and counts its start-up time', () => {
    const links = new FairLinks({ bytesPerSecond: 1000, ingressBytesPerSecond: 100, latencySeconds: 0.25 })
    links.request(7, 0, 2, 100, 100, timeFromSeconds(0))
    links.request(8, 1, 2, 100, 100, timeFromSeconds(0))
    expect(endsOf(links)).toEqual([
      [7, 2.25],
      [8, 2.25],
    ])
  })

  it('is bound by the spine that all share', () => {
    const links = new FairLinks({ bytesPerSecond: 100, spineBytesPerSecond: 50, latencySeconds: 0 })
    links.request(7, 0, 2, 100, 100, timeFromSeconds(0))
    links.request(8, 1, 3, 100, 100, timeFromSeconds(0))
    links.handle(timeFromSeconds(0))
    links.handle(timeFromSeconds(0))
    const views = links.view()
    expect(views.map((one) => [one.kind, one.replica, one.bytesPerSecond, one.bytesPerSecondNow])).toEqual([
      ['egress', 0, 100, 25],
      ['egress', 1, 100, 25],
      ['ingress', 2, 100, 25],
      ['ingress', 3, 100, 25],
      ['spine', undefined, 50, 50],
    ])
    expect(endsOf(links)).toEqual([
      [7, 4],
      [8, 4],
    ])
  })

  it('stops a flow whose client leaves, and gives its share to the others', () => {
    const links = new FairLinks({ bytesPerSecond: 100, latencySeconds: 0 })
    links.request(7, 0, 2, 100, 100, timeFromSeconds(0))
    links.request(8, 0, 3, 100, 100, timeFromSeconds(0))
    links.handle(timeFromSeconds(0))
    links.handle(timeFromSeconds(0))
    links.cancel(7, timeFromSeconds(1))
    // 50 bytes by 1 s, the other 50 at the full 100 B/s.
    expect(endsOf(links)).toEqual([[8, 1.5]])
  })
})

/** Prompts of 100 tokens, 1 s each, with 10 bytes of KV a token; decode steps of 10 ms. */
function disaggregated(
  transfer: Partial<TransferConfig>,
  generateBlocks = 100,
  outputs = [3],
  cancelAfter = Infinity,
  every = 0,
  maxBatchedTokens = 100,
) {
  const pool = (name: string, role: PoolConfig['role'], totalBlocks: number): PoolConfig => {
    const options: VllmOptions = {
      maxBatchedTokens,
      maxSequences: 8,
      blockSize: 10,
      totalBlocks,
      maxModelLength: 1000,
      prefixCache: false,
      chunkedPrefill: true,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      watermark: 0,
      asyncScheduling: false,
    }
    return {
      name,
      role,
      replicas: 1,
      createEngine: (context) => vllm.create(context, options),
      scheduler: schedulers.get('fcfs')!,
      cost: plainCost(0.01, 0.01),
      frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
      startUpSeconds: 0,
    }
  }
  const drafts = outputs.map((tokens, tag) => {
    const draft = emptyDraft()
    draft.tag = tag
    setSeconds(draft.arrival, tag * every)
    draft.inputTokens = 100
    draft.outputTokens = tokens
    draft.maxTokens = tokens
    draft.cancelAfterSeconds = cancelAfter
    return draft
  })
  const timeline = new Timeline()
  const simulation = createSimulation({
    pools: [pool('p', 'prefill', 100), pool('g', 'generate', generateBlocks)],
    source: listed(drafts),
    router: routers.get('round-robin')!,
    transfer: { bytesPerSecond: 1000, latencySeconds: 0, bytesPerToken: 10, sharing: 'fair', layers: 4, ...transfer },
    seed: 1,
  })
  simulation.observe(timeline)
  const runTo = (seconds: number): void => void simulation.runUntil(timeFromSeconds(seconds), 100_000)
  return { timeline, simulation, runTo, blocks: () => simulation.view().replicas.map((one) => one.usedBlocks) }
}

const near = (values: readonly number[]): unknown => values.map((value) => expect.closeTo(value, 9))

describe('a cache on its way to the generate side', () => {
  it('travels after the prompt when it travels whole: the first gap holds the transfer', () => {
    const { timeline, runTo } = disaggregated({})
    runTo(10)
    expect(timeline.firstAt).toEqual(near([1]))
    expect(timeline.transfers).toEqual([near([0, 1, 2])])
    expect(timeline.gaps.map(([gap]) => gap)).toEqual(near([1.01, 0.01]))
    expect(timeline.endedAt).toEqual(near([2.02]))
  })

  it('travels while it is computed, layer by layer: only the last layer is left when the prompt is complete', () => {
    const { timeline, runTo } = disaggregated({ overlap: 'layers' })
    runTo(10)
    // 750 of 1000 bytes by 0.75 s; the last layer's 250 from 1 s to 1.25 s.
    expect(timeline.transfers).toEqual([near([0, 0, 1.25])])
    expect(timeline.endedAt).toEqual(near([1.27]))
  })

  /** Half of the layers keep no more than the last twenty tokens: 5 bytes a token, and 5 for twenty of them. */
  const kvBytes = (tokens: number): number => 5 * tokens + 5 * Math.min(tokens, 20)

  it('is smaller where layers have windows: what they have dropped does not travel', () => {
    const { timeline, runTo } = disaggregated({ kvBytes })
    runTo(10)
    // 500 + 100 bytes.
    expect(timeline.transfers).toEqual([near([0, 1, 1.6])])
  })

  it('sends of a window layer by layer only what the end of the prompt leaves in it', () => {
    const { timeline, runTo } = disaggregated(
      { kvBytes, overlap: 'layers', bytesPerSecond: 500 },
      100,
      [3],
      Infinity,
      0,
      60,
    )
    runTo(10)
    // 60 tokens to 0.6 s: of 600 bytes all but the 300 of the last 40 tokens, without the last of four layers: 225 by 0.45 s. The other 40
    // to 1 s: 450, of which 200 more have been sent by then. With the last layer 175 bytes are left: 0.35 s.
    expect(timeline.transfers).toEqual([near([0, 0, 1.35])])
  })

  it('is bound by a link that is slower than the prefill', () => {
    const { timeline, runTo } = disaggregated({ overlap: 'layers', bytesPerSecond: 500 })
    runTo(10)
    expect(timeline.transfers).toEqual([near([0, 0, 2])])
  })

  it('leaves the first token to the generate side when told so', () => {
    const { timeline, runTo } = disaggregated({ firstToken: 'generate' })
    runTo(10)
    expect(timeline.firstAt).toEqual(near([2.01]))
    expect(timeline.gaps.map(([gap]) => gap)).toEqual(near([0.01, 0.01]))
    expect(timeline.endedAt).toEqual(near([2.03]))
    expect(timeline.endings).toEqual(['completed 3'])
  })

  it('holds blocks on both sides until it has ended', () => {
    const { runTo, blocks } = disaggregated({})
    runTo(0.5)
    expect(blocks()).toEqual([10, 0])
    runTo(1.5)
    expect(blocks()).toEqual([10, 10])
    runTo(2.005)
    expect(blocks()).toEqual([0, 11])
    runTo(10)
    expect(blocks()).toEqual([0, 0])
  })

  it('waits on the prefill side while the generate side is full', () => {
    // Eleven blocks hold one request at a time.
    const { timeline, runTo, simulation } = disaggregated({}, 11, [5, 5])
    runTo(2.03)
    expect(simulation.view().replicas.map((one) => [one.transferring, one.usedBlocks])).toEqual([
      [0, 10],
      [1, 11],
    ])
    runTo(10)
    // The second prompt is complete at 2 s; the first request ends at 2.04 s; the transfer takes a second from there.
    expect(timeline.transfers).toEqual([near([0, 1, 2]), near([1, 2.04, 3.04])])
    expect(timeline.endings).toEqual(['completed 5', 'completed 5'])
  })

  it('gives all blocks back on both sides when its client leaves on the way', () => {
    for (const overlap of ['whole', 'layers'] as const) {
      const { timeline, runTo, blocks } = disaggregated({ overlap, bytesPerSecond: 100 }, 100, [5], 1.5)
      runTo(1.25)
      expect(blocks()).toEqual([10, 10])
      runTo(1.5)
      expect(timeline.endings).toEqual(['cancelled 1'])
      expect(blocks()).toEqual([0, 0])
    }
  })

  it('leaks nothing when clients leave between prefill and decode a thousand times', () => {
    for (const transfer of [{ sharing: 'serial' }, { overlap: 'layers' }, {}] as const) {
      const outputs = Array<number>(1000).fill(5)
      const { timeline, runTo, blocks } = disaggregated({ ...transfer, bytesPerSecond: 100 }, 11, outputs, 1.5, 2)
      runTo(1e5)
      expect(new Set(timeline.endings)).toEqual(new Set(['cancelled 1']))
      expect(timeline.endings.length).toBe(1000)
      expect(blocks()).toEqual([0, 0])
    }
  })

  it('gives the room on the generate side back when its client leaves during the prefill', () => {
    const { timeline, runTo, blocks } = disaggregated({ overlap: 'layers' }, 100, [5], 0.5)
    runTo(0.75)
    expect(timeline.endings).toEqual(['cancelled 0'])
    runTo(1)
    expect(blocks()).toEqual([0, 0])
  })
})

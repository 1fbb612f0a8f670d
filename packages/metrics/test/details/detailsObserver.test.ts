import type { ReplicaView } from '@windtunnel/orchestrator'
import { describe, expect, it } from 'vitest'
import { DetailsObserver, type DetailsOptions } from '../../src/details/detailsObserver.ts'
import type { ReplicaProfile } from '../../src/details/replicaProfile.ts'
import type { MeasuredWindow } from '../../src/summary/measuredWindow.ts'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { fakeView, observersOf } from '../fakes.ts'

const objectives = [
  { serviceClass: 'chat', ttft: 1, tpot: 0.5, itl: 0.25 },
  { serviceClass: 'batch', e2e: 1 },
]

/** Two accelerators of 1,000 FLOP/s and 100 B/s each, $9 an hour and 50 W; one layer that sees all, one that sees 4 tokens. */
const profile: ReplicaProfile = {
  accelerators: 2,
  engines: 1,
  blockTokens: 16,
  keyValueTokens: 128,
  dollarsPerAcceleratorHour: 9,
  wattsPerAccelerator: 50,
  work: {
    peakFlopsPerSecond: 2000,
    memoryBytesPerSecond: 200,
    weightFlopsPerToken: 10,
    weightBytes: () => 20,
    attention: [
      { windowTokens: undefined, flopsPerPair: 2, keyValueBytes: 1 },
      { windowTokens: 4, flopsPerPair: 1, keyValueBytes: 1 },
    ],
  },
}

/**
 * Four seconds of one replica. A (chat, tenant 0): 40 tokens in, 3 out, admitted at 0.5 with 16 of 40 found, first token at
 * 1, gaps of 0.25, so it ends at 1.5. B (batch, tenant 1): 8 in, 2 out, arrives at 2, admitted at once with 0 of 8,
 * transferred from 2.5 to 3, second token at 3.5. C (batch, tenant 1): 10 + 10 tokens, refused at 3.
 */
function detailsOf(
  options: Partial<DetailsOptions> = {},
  window?: MeasuredWindow,
  more: Partial<ReplicaView>[] = [{}],
) {
  const within = window === undefined ? {} : { window }
  const observer = new DetailsObserver({ objectives, profileOf: () => profile, ...within, ...options })
  const recorder = new RunRecorder({ objectives, recordings: [observer], ...within })
  const gap = TICKS_PER_SECOND / 4
  for (const o of observersOf(recorder)) {
    o.arrived(0, 0, 40, 3, 0, 0)
    o.admitted(0, 0.5, 0, 16, 40, 0)
    o.prefillChunk(0, 0.5, 0, 2, 3)
    o.firstToken(0, 1)
    o.stepped(0, 0.5, 1, 1, 0, 2, 0, 0)
    o.decodeRun(0, 1, 2, 1, gap, 0)
    o.ended(0, 1.5, 'completed', 3, '')
    o.stepped(0, 1, 1.5, 2, 1, 0, 10, 1)
    o.arrived(1, 2, 8, 2, 1, 1)
    o.admitted(1, 2, 0, 0, 8, 0)
    o.firstToken(1, 2.5)
    o.transferStarted(1, 2.5, 0, 1, 64)
    o.transferred(1, 3, 0, 1)
    o.tokenGap(1, 3.5, 4 * gap)
    o.ended(1, 3.5, 'completed', 2, '')
    o.arrived(2, 3, 10, 10, 1, 1)
    o.ended(2, 3, 'rejected', 0, 'too long')
  }
  const fake = fakeView(4)
  const replicas = more.map((one) => ({ ...fake.replicas[0]!, ...one }))
  const view = { ...fake, replicas, arrived: 3, completed: 2, rejected: 1 }
  return { details: observer.details(recorder.summary, view), summary: recorder.summary.figures(4, view) }
}

describe('the details of a run', () => {
  const { details } = detailsOf({ roundTripSeconds: (serviceClass) => (serviceClass === 0 ? 0.25 : undefined) })

  it('intervals are of completed requests: prefill 0.5 and 0.5, transfer 0.5 where there was one, decode 0.5 and 0.5', () => {
    expect(details.prefill).toMatchObject({ mean: 0.5, max: 0.5, count: 2 })
    expect(details.transfer).toMatchObject({ mean: 0.5, count: 1 })
    expect(details.decode).toMatchObject({ mean: 0.5, count: 2 })
  })

  it('normalised latency is E2E over tokens: 1.5 / 3 and 1.5 / 2', () => {
    expect(details.normalisedLatency).toMatchObject({ mean: 0.625, max: 0.75, count: 2 })
  })

  it('TTFT from sending adds the round trip, where it is known', () => {
    expect(details.ttftFromSend).toMatchObject({ mean: 1.25, count: 1 })
  })

  it('each class has its own goodput and the share that met each limit', () => {
    expect(details.classes).toMatchObject([
      // Of three gaps, two of 0.25 s and one of 1 s.
      {
        serviceClass: 'chat',
        arrived: 1,
        completed: 1,
        goodput: 0.25,
        met: { all: 1, ttft: 1, tpot: 1, itl: expect.closeTo(2 / 3) },
      },
      { serviceClass: 'batch', arrived: 2, completed: 1, goodput: 0, met: { all: 0, e2e: 0 }, e2e: { mean: 1.5 } },
    ])
  })

  it('throughput is shared among accelerators: 2 requests, 48 and 5 tokens in 4 s on 2', () => {
    expect(details.perAccelerator).toEqual({
      accelerators: 2,
      requestsPerSecond: 0.25,
      inputTokensPerSecond: 6,
      outputTokensPerSecond: 0.625,
    })
  })

  it('MFU and memory bandwidth count weights, KV and the reach of attention', () => {
    // Prefill of 2 tokens after 3: 20 FLOPs of weights; they see 4 and 5, or 4 and 4 tokens: 9 x 2 + 8 x 1.
    // Two decode steps of one sequence at 10 and 11 tokens: 20 of weights, 21 pairs x 2 + 8 x 1. Together 116 FLOPs.
    // Bytes: 20 + (5 + 5) for the chunk, 2 x 20 + 21 + 8 for the steps: 99.
    expect(details.utilisation).toEqual({
      busyShare: 0.25,
      modelFlops: 116 / 8000,
      memoryBandwidth: 99 / 800,
      modelFlopsInSteps: 116 / 2000,
      memoryBandwidthInSteps: 99 / 200,
      meanDecodeSequences: 0.5,
      meanContextShare: (0.5 * 10.5) / 128,
    })
  })

  it('prefix hits are in tokens and whole blocks, as a ratio of sums and as a mean of ratios', () => {
    // 16 of 40 and 0 of 8 tokens; 1 of 2 blocks, and a prompt too short for a block.
    expect(details.prefix).toEqual({
      queriedTokens: 48,
      hitTokens: 16,
      queriedBlocks: 2,
      hitBlocks: 1,
      tokenRatioOfSums: 16 / 48,
      tokenMeanOfRatios: 0.2,
      blockRatioOfSums: 0.5,
      blockMeanOfRatios: 0.5,
    })
  })

  it('replicas that come and go count while they are there', () => {
    // Of 4 s: the whole time, the last one, and the first three: 2 replicas of 2 accelerators on average, $36 an hour.
    const lives = [{ addedAt: 0 }, { addedAt: 3 }, { addedAt: 0, downAt: 3 }]
    const { money, energy, perAccelerator, utilisation } = detailsOf({}, undefined, lives).details
    expect(money).toMatchObject({ dollarsPerHour: 36, dollars: 0.04 })
    expect(energy!.ratedJoules).toBe(800)
    expect(perAccelerator!.accelerators).toBe(4)
    expect(utilisation!.busyShare).toBe(0.125)
    // From 2 s to 4 s: the whole of it, its half, and its half.
    const late = detailsOf({}, { fromSeconds: 2, untilSeconds: 4 }, lives).details
    expect(late.money!.dollarsPerHour).toBe(36)
    expect(late.energy!.ratedJoules).toBe(400)
  })

  it('money and energy: $18 an hour for 4 s and 5 tokens; 100 W, of which 1 s in steps', () => {
    expect(details.money!.dollars).toBeCloseTo(0.02, 12)
    expect(details.money!.dollarsPerMillionOutputTokens).toBeCloseTo(4000, 9)
    expect(details.money!.dollarsPerMillionTokens).toBeCloseTo((0.02 / 53) * 1e6, 9)
    expect(details.energy).toEqual({ ratedJoules: 400, joulesInSteps: 100, joulesInStepsPerOutputToken: 20 })
  })

  it('fairness: 43 and 10 tokens served, of 43 and 30 asked for', () => {
    expect(details.fairness.tenants).toBe(2)
    expect(details.fairness.servedTokens).toBeCloseTo((53 * 53) / (2 * (43 * 43 + 10 * 10)), 12)
    expect(details.fairness.servedShare).toBeCloseTo(((4 / 3) * (4 / 3)) / (2 * (1 + 1 / 9)), 12)
  })

  it('says nothing of money, energy and utilisation where prices, power and peaks are not known', () => {
    const bare = { ...profile, dollarsPerAcceleratorHour: undefined, wattsPerAccelerator: undefined, work: undefined }
    const { money, energy, utilisation } = detailsOf({ profileOf: () => bare }).details
    expect({ money, energy }).toEqual({})
    expect(utilisation).toEqual({ busyShare: 0.25, meanDecodeSequences: 0.5, meanContextShare: 5.25 / 128 })
  })
})

describe('a warm-up and a cool-down', () => {
  const window = { fromSeconds: 1.25, untilSeconds: 3 }
  const { details, summary } = detailsOf({}, window)

  it('leave requests that arrive outside out of every figure, and keep the count of all', () => {
    expect(summary.requests).toMatchObject({ arrived: 3, completed: 2 })
    expect(summary.ttft).toMatchObject({ mean: 0.5, count: 1 })
    expect(summary.e2e).toMatchObject({ mean: 1.5, count: 1 })
    expect(summary.queue).toMatchObject({ mean: 0, count: 1 })
    expect(details.window).toEqual({ ...window, arrived: 1 })
    expect(details.classes.map(({ arrived }) => arrived)).toEqual([0, 1])
  })

  it('count tokens and gaps by when they come: at 1.25 and 1.5 of A, at 2.5 of B, over 1.75 s', () => {
    expect(summary.itl).toMatchObject({ mean: 0.25, count: 2 })
    expect(summary.throughput.outputTokensPerSecond).toBeCloseTo(3 / 1.75, 12)
    expect(summary.throughput.inputTokensPerSecond).toBeCloseTo(8 / 1.75, 12)
    expect(summary.throughput.requestsPerSecond).toBeCloseTo(1 / 1.75, 12)
  })

  it('cut a step at the edge: half of the last 0.5 s', () => {
    expect(details.utilisation!.busyShare).toBeCloseTo(0.25 / 1.75, 12)
    expect(details.prefix).toMatchObject({ queriedTokens: 8, hitTokens: 0 })
  })
})

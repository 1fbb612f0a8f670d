import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alphaBetaStepCost, communicationOf } from '../../src/deployment/alphaBetaStepCost.ts'
import { cardMemory, kvWays } from '../../src/deployment/cardMemory.ts'
import { tensorBytes } from '../../src/deployment/tensorBytes.ts'
import { sessionSeconds, stepVolume, tensorParallelStep } from '../../src/deployment/tensorParallelStep.ts'
import { completionSeconds, onTimeCost } from '../../src/deployment/timeline.ts'
import { emptyBatch } from '../../src/step/stepCost.ts'

const near = { alphaSeconds: 8.22e-7, bytesPerSecond: 450e9 }
const far = { alphaSeconds: 3.76e-6, bytesPerSecond: 50e9 }
const network = { domainCards: 8, near, far, allReduce: 'ring' } as const
const qwen = {
  layers: 64,
  layerBytes: 975175680,
  kvBytesPerToken: 262144,
  outputHeadBytes: 1555824640,
  kvHeads: 8,
}
const group = {
  model: qwen,
  tp: 8,
  hbmBytesPerSecond: 3.35e12,
  reductions: 128,
  allReduce: { kind: 'ring', bytes: 10240, link: near },
  kvSplit: 'saturate',
  copyKvProjections: false,
} as const

const decode = (context: number) => ({
  ...emptyBatch(),
  decodeSequences: 1,
  decodeContextTokens: context,
  decodeWindowTokens: context,
})

describe('a decode step over a tensor-parallel group', () => {
  it('of Qwen3-32B at 131,064 tokens reads 98.32 GB and takes 5.15 ms on eight H100', () => {
    expect(stepVolume(qwen, 131064).bytes).toBe(98_324_971_520)
    expect(tensorParallelStep(group, 131064).seconds).toBeCloseTo(5.147e-3, 6)
  })

  it.each([1, 2, 4, 8])('is the same as a step cost of engines sees it, for TP%i', (tp) => {
    const architecture = model('qwen3-32b')
    const cost = alphaBetaStepCost({ architecture, accelerator: accelerator('h100'), layout: { tp }, network })
    const expected = tensorParallelStep({ ...group, tp }, 131064).seconds
    expect(Math.abs(cost.seconds(decode(131065)) / expected - 1)).toBeLessThan(1e-12)
  })

  it('adds up over a session whose context grows', () => {
    const steps = [0, 1, 2].map((at) => tensorParallelStep(group, 1000 + at).seconds)
    expect(sessionSeconds(group, 1000, 3)).toBeCloseTo(steps[0]! + steps[1]! + steps[2]!, 15)
  })
})

describe('communication of a step', () => {
  const base = { architecture: model('qwen3-30b-a3b'), accelerator: accelerator('h100') }

  it('has two reductions a layer over tensor ranks, and nothing else', () => {
    const { reductions, ...others } = communicationOf({ ...base, layout: { tp: 4 }, network })(1)
    // 48 layers, a ring of four and 4,096 bytes: 6 rounds and 6,144 bytes.
    expect(reductions).toBeCloseTo(96 * (6 * 8.22e-7 + 6144 / 450e9), 12)
    expect(others).toEqual({ exchanges: 0, handOffs: 0, merges: 0 })
  })

  it('sends tokens to experts and back where attention is data-parallel: across servers all but an eighth leaves', () => {
    const at = (dp: number) => communicationOf({ ...base, layout: { dp, ep: dp }, network })(dp).exchanges
    // One token a card, eight experts of 4,096 bytes each: dispatch and combine in each of 48 layers.
    expect(at(8)).toBeCloseTo(96 * (8.22e-7 + (32768 * 7) / 8 / 450e9), 12)
    expect(at(64)).toBeCloseTo(96 * (3.76e-6 + (32768 * 56) / 64 / 50e9), 12)
  })

  it('hands over between stages, over the far link where a replica spans servers', () => {
    const at = (tp: number, pp: number) => communicationOf({ ...base, layout: { tp, pp }, network })(1).handOffs
    expect(at(1, 4)).toBeCloseTo(3 * (8.22e-7 + 4096 / 450e9), 12)
    expect(at(4, 4)).toBeCloseTo(3 * (3.76e-6 + 4096 / 50e9), 12)
  })

  it('takes a measured time across servers in place of a ring, and refuses to cross where there is no link', () => {
    const layout = { tp: 16 }
    const architecture = model('qwen3-32b')
    const measured = communicationOf({
      ...base,
      architecture,
      layout,
      network: { ...network, farAllReduceSeconds: 1e-3 },
    })
    expect(measured(1).reductions).toBeCloseTo(0.128, 12)
    const alone = communicationOf({ ...base, architecture, layout, network: { ...network, far: undefined } })
    expect(() => alone(1)).toThrow('at most the 8 of one domain')
  })
})

describe('memory of a card', () => {
  it('splits KV over as many ranks as there are KV heads, or evenly if asked to', () => {
    expect(kvWays(16, 8, 'saturate')).toBe(8)
    expect(kvWays(4, 8, 'saturate')).toBe(4)
    expect(kvWays(16, 8, 'even')).toBe(16)
  })

  it('counts whole sessions only', () => {
    const of = { weightBytes: 10, kvBytesPerSession: 3, sessions: 1, workspaceBytes: 1, capacityBytes: 20 }
    expect(cardMemory(of)).toMatchObject({ totalBytes: 14, fits: true, maxSessions: 3 })
    expect(cardMemory({ ...of, capacityBytes: 10 })).toMatchObject({ fits: false, maxSessions: 0 })
  })

  it('of tensors sums to the 65.52 GB of Qwen3-32B', () => {
    const sizes = { layers: 64, hidden: 5120, queryHeads: 64, kvHeads: 8, headDim: 128, ffn: 25600, vocab: 151936 }
    expect(tensorBytes({ ...sizes, weightBytes: 2, qkNorm: true, tiedEmbeddings: false }).total).toBe(65_524_246_528)
  })
})

describe('a timeline', () => {
  it('deals sessions in turn and serves one at a time', () => {
    expect(completionSeconds({ instances: 2, sessionSeconds: [1, 1, 1, 1, 1] })).toEqual([1, 1, 2, 2, 3])
  })

  it('starts a struck session over, or lets it go on, and leaves other instances alone', () => {
    const failure = { atSeconds: 1.5, stallSeconds: 1, instance: 0 }
    const at = (semantics: 'redo' | 'pause') =>
      completionSeconds({ instances: 2, sessionSeconds: [1, 1, 1, 1], failure: { ...failure, semantics } })
    expect(at('redo')).toEqual([1, 1, 3.5, 2])
    expect(at('pause')).toEqual([1, 1, 3, 2])
  })

  it('does not care for a failure after the last session, and starts after one that struck an idle instance', () => {
    const at = (atSeconds: number) =>
      completionSeconds({
        instances: 1,
        sessionSeconds: [1],
        failure: { atSeconds, stallSeconds: 2, instance: 0, semantics: 'redo' },
      })
    expect(at(1)).toEqual([1])
    expect(at(0)).toEqual([3])
  })

  it('refuses a failure of an instance that is not there', () => {
    const failure = { atSeconds: 0, stallSeconds: 1, instance: 2, semantics: 'redo' } as const
    expect(() => completionSeconds({ instances: 2, sessionSeconds: [1], failure })).toThrow('an instance, 0 to 1')
  })

  it('never ends earlier with a failure than without', () => {
    const sessions = fc.array(fc.double({ min: 0.01, max: 10, noNaN: true }), { minLength: 1, maxLength: 12 })
    const semantics = fc.constantFrom('redo' as const, 'pause' as const)
    const time = fc.double({ min: 0, max: 20, noNaN: true })
    fc.assert(
      fc.property(
        sessions,
        fc.integer({ min: 1, max: 4 }),
        time,
        time,
        semantics,
        (sessionSeconds, instances, at, stall, how) => {
          const healthy = completionSeconds({ instances, sessionSeconds })
          const failure = { atSeconds: at, stallSeconds: stall, instance: 0, semantics: how }
          const struck = completionSeconds({ instances, sessionSeconds, failure })
          struck.forEach((done, session) => {
            expect(done).toBeGreaterThanOrEqual(healthy[session]!)
            if (session % instances !== 0) expect(done).toBe(healthy[session])
          })
        },
      ),
    )
  })

  it('charges all cards until the last session, for those on time', () => {
    const of = { cards: 8, deadlineSeconds: 2, fraction: 0.75 }
    expect(onTimeCost([1, 2, 2, 3], of)).toEqual({
      onTime: 3,
      makespanSeconds: 3,
      cardSeconds: 24,
      cardSecondsPerOnTime: 8,
      meets: true,
    })
    expect(onTimeCost([3], of)).toMatchObject({ onTime: 0, cardSecondsPerOnTime: undefined, meets: false })
  })

  it('takes seven of ten as 0.7 of them', () => {
    const done = [1, 1, 1, 1, 1, 1, 1, 9, 9, 9]
    expect(onTimeCost(done, { cards: 1, deadlineSeconds: 1, fraction: 0.7 }).meets).toBe(true)
  })
})

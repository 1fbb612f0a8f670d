import { describe, expect, it } from 'vitest'
import { choiceFrom, parametersOf } from '../src/explore/choice.ts'
import {
  batchesUpTo,
  batchForRate,
  decodePoint,
  deploymentOf,
  fleetsUnder,
  mostSequences,
} from '../src/explore/deployment.ts'
import { roofOf } from '../src/explore/operators.ts'

const deployment = (query: string) => {
  const found = deploymentOf(choiceFrom(new URLSearchParams(query)))
  if (typeof found === 'string') throw new Error(found)
  return found
}

describe('explore', () => {
  it('keeps a choice through its address', () => {
    const choice = choiceFrom(new URLSearchParams('model=llama-3.1-8b&tp=2&kv=fp8&context=2048&batch=7&price=2.5'))
    expect(choiceFrom(new URLSearchParams(parametersOf(choice)))).toEqual(choice)
  })

  it('adds the parts of a step up to the step', () => {
    const point = decodePoint(deployment('model=llama-3.1-70b&tp=4'), 16, 8192)
    const { weights, kv, compute, collectives, host } = point.parts
    expect(weights + kv + compute + collectives + host).toBeCloseTo(point.seconds, 12)
  })

  it('prices tokens by chips, hours and rate', () => {
    const point = decodePoint(deployment('model=llama-3.1-8b&tp=1&price=3.6'), 10, 1024)
    // 3.6 dollars an hour are 0.001 dollars a second, and a step makes ten tokens.
    expect(point.usdPerMillion).toBeCloseTo((0.001 * point.seconds * 1e6) / 10, 9)
  })

  it('fits fewer sequences the longer they are', () => {
    const fleet = deployment('model=llama-3.1-8b&tp=1')
    expect(mostSequences(fleet, 1024)).toBeGreaterThan(mostSequences(fleet, 8192))
  })

  it('finds the smallest batch that carries a load, and none for a load that no batch carries', () => {
    const replica = deployment('model=llama-3.1-8b&tp=1&context=2048')
    const rate = (batch: number) => batch / decodePoint(replica, batch, 2048).seconds
    expect(batchForRate(replica, rate(17), 2048)).toBe(17)
    expect(batchForRate(replica, rate(17) * 1.0001, 2048)).toBe(18)
    expect(batchForRate(replica, 1e9, 2048)).toBeUndefined()
  })

  it('spreads a load over fleets: more replicas, quicker tokens, idler chips, and all carry it', () => {
    const fleets = fleetsUnder(deployment('model=llama-3.1-8b&tp=1&context=2048'), 50_000)
    const [least, more] = [fleets[0], fleets.at(-1)]
    expect(more?.replicas).toBe((least?.replicas ?? 0) * 8)
    expect(more?.step.seconds).toBeLessThan(least?.step.seconds ?? 0)
    for (const { replicas, batch, step } of fleets) {
      expect((replicas * batch) / step.seconds).toBeGreaterThanOrEqual(50_000)
      expect(step.tokensPerSecondPerChip).toBeCloseTo(50_000 / replicas, 9)
    }
  })

  it('puts the ridge of an H100 at its FLOPs over its bandwidth', () => {
    // 989.4e12 FLOP/s dense bf16 over 3.35e12 B/s.
    expect(roofOf(deployment('accelerator=h100-sxm')).ridge).toBeCloseTo(295.3, 0)
  })

  it('samples batches from one to the most, without repeats', () => {
    const batches = batchesUpTo(58)
    expect(batches[0]).toBe(1)
    expect(batches.at(-1)).toBe(58)
    expect(new Set(batches).size).toBe(batches.length)
  })
})

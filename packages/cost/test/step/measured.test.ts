import { describe, expect, it } from 'vitest'
import { measured } from '../../src/step/backends/measured.ts'
import { decodeBatch, prefillBatch } from './tinyModel.ts'

const step = measured({
  measuredSteps: {
    decode: [
      { sequences: 10, contextTokens: 0, seconds: 1 },
      { sequences: 10, contextTokens: 100, seconds: 2 },
      { sequences: 10, contextTokens: 300, seconds: 3 },
      { sequences: 20, contextTokens: 0, seconds: 3 },
      { sequences: 20, contextTokens: 200, seconds: 5 },
    ],
    prefill: [
      { tokens: 100, contextTokens: 0, seconds: 4 },
      { tokens: 200, contextTokens: 0, seconds: 8 },
    ],
  },
})

describe('step times measured by the user', () => {
  it('are met exactly at the measured points', () => {
    expect(step.seconds(decodeBatch(10, 100))).toBeCloseTo(2, 12)
    expect(step.seconds(decodeBatch(20, 200))).toBeCloseTo(5, 12)
    expect(step.seconds(prefillBatch([[100, 0]]))).toBeCloseTo(4, 12)
  })

  it('are straight between contexts and between counts', () => {
    expect(step.seconds(decodeBatch(10, 200))).toBeCloseTo(2.5, 12)
    // Half way between 2 (10 sequences) and 4 (20 sequences) at context 100.
    expect(step.seconds(decodeBatch(15, 100))).toBeCloseTo(3, 12)
    expect(step.seconds(prefillBatch([[150, 0]]))).toBeCloseTo(6, 12)
  })

  it('go on straight beyond the table and flat below its smallest count', () => {
    expect(step.seconds(decodeBatch(10, 500))).toBeCloseTo(4, 12)
    expect(step.seconds(decodeBatch(30, 0))).toBeCloseTo(5, 12)
    expect(step.seconds(decodeBatch(5, 100))).toBeCloseTo(2, 12)
  })

  it('take prompts in proportion where one length alone was measured, and say so', () => {
    const one = measured({
      measuredSteps: {
        decode: [{ sequences: 8, contextTokens: 0, seconds: 1 }],
        prefill: [{ tokens: 100, contextTokens: 0, seconds: 4 }],
      },
    })
    // 4 s for 100 tokens: 12 s for 300; what is shorter takes as long as the shortest.
    expect(one.seconds(prefillBatch([[300, 0]]))).toBeCloseTo(12, 12)
    expect(one.seconds(prefillBatch([[10, 0]]))).toBeCloseTo(4, 12)
    expect(one.seconds(decodeBatch(16, 0))).toBeCloseTo(1, 12)
    expect(one.extrapolations).toEqual([
      'measured: straight lines beyond 8 decoding sequences and 100 prefill tokens',
      'measured: one number of sequences alone, so others decode in the same time',
      'measured: one number of prompt tokens alone, so more take time in proportion',
    ])
  })

  it('change slope exactly at a measured context', () => {
    const piece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
    expect(step.decodePiece(10, 100, piece)).toMatchObject({ slopeSeconds: 0.01, validUntilContextTokens: 100 })
    expect(step.decodePiece(10, 101, piece)).toMatchObject({ slopeSeconds: 0.005, validUntilContextTokens: Infinity })
  })

  it('let decoding sequences join a prefill as tokens and add their context', () => {
    // 90 + 10 tokens: 4 s; context 100 at 0.01 s a token: 1 s.
    const batch = { ...prefillBatch([[90, 0]]), decodeSequences: 10, decodeContextTokens: 100, decodeWindowTokens: 100 }
    expect(step.seconds(batch)).toBeCloseTo(5, 12)
  })
})

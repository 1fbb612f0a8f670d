import { describe, expect, it } from 'vitest'
import { editDistance, nearNames, suggestion } from '../../src/names/near.ts'

describe('near names', () => {
  it('counts inserts, deletes, replacements and swapped neighbours as one edit each', () => {
    expect(editDistance('h100', 'h100')).toBe(0)
    expect(editDistance('h10', 'h100')).toBe(1)
    expect(editDistance('h200', 'h100')).toBe(1)
    expect(editDistance('vlml', 'vllm')).toBe(1)
    expect(editDistance('', 'abc')).toBe(3)
  })

  it('offers the name that was meant, whatever its case and dashes', () => {
    expect(nearNames('leastloaded', ['roundRobin', 'leastLoaded', 'random'])).toEqual(['leastLoaded'])
    expect(nearNames('tpu_v5e', ['tpu-v5e', 'h100'])).toEqual(['tpu-v5e'])
    expect(nearNames('llama-8b', ['llama-3.1-8b', 'qwen3-32b'])).toEqual(['llama-3.1-8b'])
    expect(nearNames('llama-3.1', ['llama-3.1-8b', 'qwen3-32b'])).toEqual(['llama-3.1-8b'])
  })

  it('lists what is known when nothing is near', () => {
    expect(suggestion('xyzzy', ['h100', 'a100'])).toBe('known: h100, a100')
    expect(suggestion('h10', ['h100', 'a100'])).toBe('did you mean h100?')
  })
})

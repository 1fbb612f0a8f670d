import { describe, expect, it } from 'vitest'
import { calculators } from '../../src/calculators/index.ts'
import { kebabCase, snakeCase } from '../../src/edge/names.ts'
import { readAssignments } from '../../src/edge/readInputs.ts'
import { runCalculator } from '../../src/edge/runCalculator.ts'

const step = { tp: 8, context: 131064 }
const trouble = (name: string, inputs: unknown): string => {
  try {
    runCalculator(name, inputs)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
  return 'no trouble'
}

describe('names', () => {
  it.each([
    ['tpStepTime', 'tp_step_time', 'tp-step-time'],
    ['meshMatmul2d', 'mesh_matmul_2d', 'mesh-matmul-2d'],
    ['epBatch1TpAttention', 'ep_batch1_tp_attention', 'ep-batch1-tp-attention'],
    ['timeSeconds', 'time_s', 'time-seconds'],
    ['a2aSeconds', 'a2a_s', 'a2a-seconds'],
    ['tokensPerSecond', 'tokens_per_s', 'tokens-per-second'],
    ['energyJoules', 'energy_j', 'energy-joules'],
  ])('%s is %s in case files and %s in a shell', (camel, snake, kebab) => {
    expect(snakeCase(camel)).toBe(snake)
    expect(kebabCase(camel)).toBe(kebab)
  })

  it('are taken in any of the three', () => {
    const all = ['tpStepTime', 'tp_step_time', 'tp-step-time'].map((name) => runCalculator(name, step).results)
    expect(all[1]).toEqual(all[0])
    expect(all[2]).toEqual(all[0])
  })

  it('of inputs too, and a model by its name equals its sizes written out', () => {
    const written = { layers: 64, layer_bytes: 975175680, kv_per_token: 262144, lm_head_bytes: 1555824640, kv_heads: 8 }
    const named = runCalculator('tp_step_time', { ...step, model: 'qwen3-32b' }).results
    expect(runCalculator('tp_step_time', { ...step, model: written }).results).toEqual(named)
  })

  it('that nothing has are told with near ones', () => {
    expect(trouble('tp-step-tim', {})).toBe('Unknown calculator "tp-step-tim". Did you mean tp-step-time?')
    expect(trouble('tp-step-time', { ...step, bandwith: 1 })).toContain(
      'bandwith: there is no such input; did you mean bandwidth',
    )
    expect(trouble('tp-step-time', { ...step, model: 'qwen3-33b' })).toContain('model: Unknown model "qwen3-33b"')
  })
})

describe('a bad input', () => {
  it.each([
    ['tp-step-time', { ...step, bandwidth: 0 }, 'bandwidth: expected a number of B/s, above 0; found 0'],
    ['tp-step-time', { tp: 1.5, context: 1 }, 'tp: expected a whole number, at least 1; found 1.5'],
    ['tp-step-time', { tp: 8 }, 'context: missing; add a whole number of token, at least 0'],
    [
      'tp-step-time',
      { ...step, allreduce: { alpha: -1 } },
      'allreduce.alpha: expected a number of s, at least 0; found -1',
    ],
    ['tp-step-time', { ...step, allreduce: { algorithm: 'measured' } }, 'allreduce.measured: missing'],
    ['tp-step-time', { ...step, kvSplit: 'half' }, 'kvSplit: expected one of saturate, even; found "half"'],
    ['tree-allreduce', { n: 6, bytes: 1 }, 'n: expected a power of two; found 6'],
    [
      'deployment-plan',
      { ...step, tp: 3, cards: 8, sessions: 1, steps: 1, deadline: 1 },
      'tp: expected a whole number that divides 8 cards; found 3',
    ],
    ['grid-packing', { free: ['12'], block: 1 }, 'free: expected rows of one length'],
    ['causal-load', { groups: [[0]] }, 'groups.0.0: expected a whole number, at least 1; found 0'],
    ['full-mesh', 'eight', 'expected a group with the keys n'],
    [
      'tp-card-memory',
      { model: { layers: 1, hidden: 1, qHeads: 1, kvHeads: 1, headDim: 1, vocab: 1 }, tp: 1, tokens: 1 },
      'model: give either ffn',
    ],
    ['deployment-planner', { preset: 'bunch' }, 'preset: expected one of bench'],
    ['deployment-planner', { arrivals: 'even' }, 'rate: missing'],
  ])('of %s is told with its field, unit and bounds', (name, inputs, words) => {
    expect(trouble(name, inputs)).toContain(words)
  })

  it('is told together with all others', () => {
    const words = trouble('tp-step-time', { tp: 0, context: -1, bandwidth: 0, nonsense: 1 })
    for (const field of ['tp:', 'context:', 'bandwidth:', 'nonsense:']) expect(words).toContain(field)
  })
})

describe('words of a command line', () => {
  const read = (...words: string[]) => readAssignments(calculators.tpStepTime.input.doc, words)

  it('go into groups by dots, numbers and choices by what each input takes', () => {
    expect(read('tp=8', 'context=131064', 'allreduce.algorithm=tree', 'replicate_kv_proj=yes')).toEqual({
      tp: 8,
      context: 131064,
      allreduce: { algorithm: 'tree' },
      replicateKvProj: true,
    })
  })

  it('may be one JSON object, over which others are laid', () => {
    expect(read('{"tp":4}', 'context=1')).toEqual({ tp: 4, context: 1 })
  })

  it('read lists with commas, or as JSON where they nest', () => {
    const lists = readAssignments(calculators.pipeline.input.doc, ['stages=1e-3,2e-3', 'microbatches=8'])
    expect(lists).toEqual({ stages: [1e-3, 2e-3], microbatches: 8 })
    expect(readAssignments(calculators.causalLoad.input.doc, ['groups=[[1,4],[2,3]]'])).toEqual({
      groups: [
        [1, 4],
        [2, 3],
      ],
    })
    expect(readAssignments(calculators.gridPacking.input.doc, ['free=11,11', 'block=2'])).toEqual({
      free: ['11', '11'],
      block: 2,
    })
  })

  it('are refused where they name nothing', () => {
    expect(() => read('tp')).toThrow('expected NAME=VALUE, such as tp=8; found "tp"')
  })
})

describe('inputs at the edge of what means something', () => {
  it('give no number of sessions where a session keeps nothing', () => {
    const { results } = runCalculator('tp-card-memory', { model: 'qwen3-32b', tp: 8, tokens: 0 })
    expect(results).toMatchObject({ kvPerCard: 0, fits: true, maxSessions: undefined })
  })

  it.each([
    ['scale', { a: 1, c: 0 }, 'c: expected a number other than 0'],
    [
      'tp-break-even-allreduce',
      { small: step, large: { ...step, reductions: 0 } },
      'large.reductions: expected at least 1',
    ],
    ['deployment-plan', { tp: 1, cards: 1, sessions: 1e9, steps: 1, context: 0, deadline: 1 }, 'sessions: expected'],
    ['deployment-planner', { sessions: 2000, output: 1000 }, 'expected at most 1000000 tokens over all 2000 sessions'],
    ['cut-time', { bytes: 1e300, bandwidth: 1e-300 }, 'too large or too small for each other'],
  ])('are refused by %s with a reason', (name, inputs, reason) => {
    expect(trouble(name, inputs)).toContain(reason)
  })
})

import { describe, expect, it } from 'vitest'
import { impossiblyFast } from '../../src/validate/measured/impossiblyFast.ts'
import { inferenceXArguments } from '../../src/validate/measured/inferenceX.ts'
import { sweepLayout } from '../../src/validate/measured/sweepLayout.ts'
import { sweepRuns } from '../../src/validate/measured/sweepRuns.ts'
import { unscoredSweep } from '../../src/validate/measured/unscoredSweep.ts'

const config = {
  backend: 'vllm',
  backend_version: '0.19.0',
  model_path: 'MiniMaxAI/MiniMax-M2.5',
  system: 'b200_sxm',
  precision: 'fp8',
  mode: 'agg',
  isl: '1024',
  osl: '1024',
  tp_size: '4',
}
const sweep = (id: string, tp: number, points: [number, number][], more: object = {}) => ({
  id,
  family: 'aic-inferencex',
  config: { ...config, tp_size: String(tp), ...more },
  points: points.map(([concurrency, tpot_ms]) => ({ concurrency, tpot_ms, ttft_ms: 100 })),
})
const site = { id: 'made up', kind: 'aic-inferencex', server: 8 }
const ranks = (label: object, backend = 'sglang') => {
  const { tp, dp, ep } = sweepLayout({ ...config, backend, ...label }, '', site, [])
  return [tp, dp, ep]
}

describe('labels of ranks', () => {
  it('are taken apart where the product of tensor and expert ranks is written for the ranks there are', () => {
    expect(ranks({ tp_size: '64', moe_tp_size: '8', moe_ep_size: '8' })).toEqual([8, 1, 8])
    expect(ranks({ tp_size: '4', moe_tp_size: '2', moe_ep_size: '2' })).toEqual([2, 1, 2])
    expect(ranks({ tp_size: '1', attention_dp_size: '4', moe_tp_size: '2', moe_ep_size: '2' })).toEqual([1, 2, 2])
  })

  it('mean data-parallel attention only where the launch script knows it', () => {
    const label = { tp_size: '4', attention_dp_size: '4', moe_tp_size: '1', moe_ep_size: '16' }
    expect(ranks(label, 'vllm')).toEqual([4, 1, 4])
    expect(ranks({ ...label, precision: 'fp4' }, 'vllm')).toEqual([1, 4, 4])
  })

  it('are believed in records of other benchmarks', () => {
    const label = { ...config, tp_size: '8', moe_tp_size: '2', moe_ep_size: '4' }
    const { tp, ep } = sweepLayout(label, '', { ...site, kind: 'aic-nvidia-aic' }, [])
    expect([tp, ep]).toEqual([8, 4])
  })
})

describe('arguments of InferenceX', () => {
  const load = { inputTokens: 1024, outputTokens: 1024, users: 32 }
  const launch = (engine: string, more: object = {}) => ({
    engine,
    version: '0.19.0',
    model: 'MiniMaxAI/MiniMax-M2.5',
    accelerator: 'b200_sxm',
    precision: 'fp8_block',
    layout: sweepLayout(config, '', site, []),
    ...more,
  })

  it('give vLLM from 0.19 on a budget of two prompts and an 8-bit cache, and the defaults before', () => {
    expect(inferenceXArguments(launch('vllm'), load)).toMatchObject({
      engine: { maxBatchedTokens: 2048, largestGraphTokens: 2048 },
      keyValuePrecision: 'fp8',
    })
    const older = inferenceXArguments(launch('vllm', { version: '0.17.0' }), load)
    expect(older.engine.maxBatchedTokens).toBe(8192)
    expect(older.keyValuePrecision).toBeUndefined()
  })

  it('make SGLang on Blackwell look for requests after 10 decode steps, and after 30 from 16 users on', () => {
    const interval = (users: number) =>
      inferenceXArguments(launch('sglang', { model: 'Qwen/Qwen3.5-397B-A17B' }), { ...load, users }).engine
        .receiveInterval
    expect([interval(8), interval(16)]).toEqual([10, 30])
    expect(
      inferenceXArguments(launch('sglang', { accelerator: 'h200_sxm' }), load).engine.receiveInterval,
    ).toBeUndefined()
  })

  it('let TensorRT-LLM hold back prompts of Llama for equal lengths on fewer than eight ranks', () => {
    const llama = launch('trtllm', { model: 'meta-llama/Llama-3.1-70B' })
    expect(inferenceXArguments(llama, load).engine.batchWait).toEqual({ steps: 20, tokenShare: 0.9 })
    expect(inferenceXArguments(llama, { ...load, inputTokens: 8192 }).engine.batchWait).toBeUndefined()
  })
})

describe('a sweep that is not scored', () => {
  const reasonOf = (points: [number, number][], more: object = {}) => {
    const made = sweep('made up', 4, points, more)
    return unscoredSweep(made, made.config, 'yes')
  }

  it('is one with two figures for one number of users', () => {
    expect(
      reasonOf([
        [8, 10],
        [8, 11.4],
      ]),
    ).toBeUndefined()
    expect(
      reasonOf([
        [8, 10],
        [8, 11.6],
      ]),
    ).toMatch(/one number of users/)
  })

  it('is one whose users are served faster when there are more of them', () => {
    expect(
      reasonOf([
        [8, 10],
        [16, 8.6],
      ]),
    ).toBeUndefined()
    expect(
      reasonOf([
        [8, 10],
        [16, 8.4],
      ]),
    ).toMatch(/users are added/)
  })

  it('is one of disaggregated replicas in unknown numbers, also where they are written as tensor ranks', () => {
    expect(reasonOf([[8, 10]], { mode: 'disagg' })).toMatch(/not stated/)
    expect(reasonOf([[8, 10]], { tp_size: '36' })).toMatch(/not stated/)
  })

  it('is one that outruns twice its accelerators at a few users', () => {
    const slow = sweep('eight', 8, [
      [4, 8],
      [64, 20],
    ])
    const fast = sweep('four', 4, [
      [4, 6],
      [64, 30],
    ])
    const plain = sweep('two', 2, [[4, 9]])
    expect([...impossiblyFast([slow, fast, plain])]).toEqual(['four'])
    expect([...impossiblyFast([fast, sweep('other version', 8, [[4, 8]], { backend_version: '0.18.0' })])]).toEqual([])
  })
})

describe('a sweep that holds points of InferenceX under another name', () => {
  it('is built with the arguments of InferenceX', () => {
    const made = { ...sweep('made up', 4, [[8, 10]]), family: 'aic-nvidia-aic' }
    const limit = (provenance: string) => sweepRuns({ ...made, provenance })[0]!.deployment.engine.maxBatchedTokens
    expect(limit('source_file=qwen3.5-gap-analysis.csv; x')).toBe(2048)
    expect(limit('source_file=aic-auto-gap-analysis/data/a.csv; x')).toBe(8192)
  })
})

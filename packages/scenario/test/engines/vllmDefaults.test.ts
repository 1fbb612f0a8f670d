import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { readScenario } from '../../src/schema/decode.ts'

const engineOn = (hardware: string, model = 'llama-3.1-8b') =>
  buildRun(
    readScenario(
      `version: 1
model: ${model}
fleet: [{ name: only, hardware: ${hardware}, engine: vllm }]
traffic:
  arrivals: { name: constant, requestsPerSecond: 1 }
  structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 5 } }
run: { maxRequests: 1 }
`,
      'x.yaml',
    ),
  ).pools[0]!.engine

describe('13: the defaults of vLLM', () => {
  it('are 8192 tokens and 1024 sequences where there are 70 GiB, but for an A100, and 2048 and 256 elsewhere', () => {
    expect(engineOn('h100-sxm')).toMatchObject({ maxBatchedTokens: 8192, maxSequences: 1024 })
    expect(engineOn('a100-80gb')).toMatchObject({ maxBatchedTokens: 2048, maxSequences: 256 })
    expect(engineOn('l40s')).toMatchObject({ maxBatchedTokens: 2048, maxSequences: 256 })
  })

  it('are blocks of 16 tokens, chunked prefill and a prefix cache', () => {
    expect(engineOn('h100-sxm')).toMatchObject({
      blockSize: 16,
      chunkedPrefill: true,
      prefixCache: true,
      longPrefillThreshold: 0,
    })
  })
})

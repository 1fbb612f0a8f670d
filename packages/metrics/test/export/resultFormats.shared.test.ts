import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { aiperfResult } from '../../src/export/aiperfResult.ts'
import { guidellmResult } from '../../src/export/guidellmResult.ts'
import { sglangBenchResult } from '../../src/export/sglangBench.ts'
import { vllmBenchResult } from '../../src/export/vllmBench.ts'
import { fourRequests, labels } from './fourRequests.ts'

const root = process.env['WINDTUNNEL_DATA'] ?? fileURLToPath(new URL('../../../../../shared', import.meta.url))
const folder = `${root}/data/traces/result-formats`
const missing = !existsSync(folder)
if (missing) console.warn(`No result files at ${folder}: the exporters are not compared with them.`)

const read = (name: string): string => readFileSync(`${folder}/${name}`, 'utf8')

/** Every number that both have, by path, must agree to the six digits that the files have. */
function expectSameNumbers(ours: unknown, theirs: unknown, path: string, leftOut: RegExp): number {
  if (typeof theirs === 'number' && typeof ours === 'number') {
    if (leftOut.test(path)) return 0
    expect(ours, path).toBeCloseTo(theirs, 5)
    return 1
  }
  if (typeof theirs !== 'object' || theirs === null || typeof ours !== 'object' || ours === null) return 0
  let compared = 0
  for (const [key, value] of Object.entries(theirs)) {
    if (key in ours) compared += expectSameNumbers((ours as never)[key], value, `${path}.${key}`, leftOut)
  }
  return compared
}

describe.skipIf(missing)('result files of the same four requests (skipped without the shared data)', () => {
  const set = fourRequests()

  it('vllm bench serve', () => {
    const theirs = JSON.parse(read('vllm_bench_serve.save_detailed.json'))
    // Their start times are of a running clock, ours of the run.
    expect(expectSameNumbers(vllmBenchResult(set, labels), theirs, '', /start_times/)).toBeGreaterThan(35)
  })

  it('SGLang bench_serving', () => {
    const theirs = JSON.parse(read('sglang_bench_serving.jsonl').split('\n')[1]!)
    expect(
      expectSameNumbers(sglangBenchResult(set, { ...labels, requestsPerSecond: 2 }), theirs, '', /^$/),
    ).toBeGreaterThan(25)
  })

  it('aiperf', () => {
    const theirs = JSON.parse(read('aiperf_profile_export_aiperf.json'))
    expect(expectSameNumbers(aiperfResult(set, labels), theirs, '', /^$/)).toBeGreaterThan(60)
  })

  it('guidellm', () => {
    const theirs = JSON.parse(read('guidellm_benchmarks.json'))
    // Which of several equally frequent values is the mode is left open.
    expect(expectSameNumbers(guidellmResult(set, labels), theirs, '', /mode/)).toBeGreaterThan(100)
  })
})

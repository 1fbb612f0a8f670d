import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { readDirectory } from '../../src/validate/measured/directory.ts'
import { validationDocument } from '../../src/validate/report/validationDocument.ts'
import { validate } from '../../src/validate/validation.ts'

const run = {
  id: 'short',
  kind: 'serving',
  hardware: { gpu: 'h100' },
  model: { id: 'llama-3.1-8b', precision: 'bf16' },
  parallelism: { tp: 1 },
  engine: { name: 'vllm', version: '0.15.1', max_num_seqs: 128, kv_blocks_gpu: 20000 },
  workload: { stages: [{ rate_rps: 5, duration_s: 2 }], question_len: 100, output_len: 10 },
  measured: { summary: { ttft_ms: { mean: 20 }, itl_ms: { mean: 7 }, e2e_ms: { mean: 90 } } },
}

let directory = ''
const written = (files: Record<string, unknown>) => {
  directory = mkdtempSync(join(tmpdir(), 'measured-'))
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(join(directory, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  return validationDocument(validate(readDirectory(directory)))
}
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const reasons = (files: Record<string, unknown>) => written(files).notBuilt.map(({ reason }) => reason)

describe('a directory of measured runs', () => {
  it('is read although some of its files are broken, and those are listed with the reason', () => {
    const document = written({
      'good.json': run,
      'broken.json': '{"id": ',
      'other.json': { name: 'something else' },
      'a.sweeps.jsonl': 'nonsense\n',
      'steps.csv.gz': 'no gzip',
    })
    expect(document.runs.map(({ id }) => id)).toEqual(['short'])
    expect(document.notBuilt.map(({ id }) => id)).toEqual([
      'a.sweeps.jsonl, line 1',
      'broken',
      'other.json',
      'steps.csv.gz',
    ])
  })

  it('lists runs of models and accelerators that are not known, naming near ones', () => {
    const unknown = { ...run, model: { id: 'llama-3.1-9b', precision: 'bf16' } }
    expect(reasons({ 'a.json': unknown })[0]).toMatch(/llama-3\.1-9b.*llama-3\.1-8b/s)
    expect(reasons({ 'a.json': { ...run, hardware: { gpu: 'h101' } } })[0]).toMatch(/h101/)
  })

  it('lists runs with figures that no system has', () => {
    const engine = { ...run.engine, max_num_seqs: 0 }
    expect(reasons({ 'a.json': { ...run, engine } })[0]).toMatch(/max_num_seqs should be a whole number/)
    const workload = { ...run.workload, stages: [{ rate_rps: 1e9, duration_s: 1e9 }] }
    expect(reasons({ 'a.json': { ...run, workload } })[0]).toMatch(/requests over all stages/)
    expect(reasons({ 'a.json': { ...run, parallelism: { tp: 1e9 } } })[0]).toMatch(/accelerators/)
  })

  it('tells what others published for a run', () => {
    const peer = { 'TTFT Mean': ['20.0', '22.0', '+10%'], 'Latency Mean': ['90.0', '81.0', '-10%'] }
    const document = written({
      'a.json': { ...run, peer_theirs_sim_vs_vllm: peer, peers: { Other: { mean_tpot_ms: 14 } } },
    })
    const published = document.runs[0]!.published
    expect(published?.['theirs']?.ttft).toBeCloseTo(0.1)
    expect(published?.['theirs']?.e2e).toBeCloseTo(-0.1)
    expect(published?.['Other']?.tpot).toBeCloseTo(1)
  })
})

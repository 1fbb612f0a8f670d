import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..', '..', '..')
const data = resolve(root, process.env['WINDTUNNEL_DATA'] ?? '../shared')
const azure = join(data, 'data/traces/azure2023/AzureLLMInferenceTrace_conv.csv')
const mooncake = join(data, 'data/traces/mooncake/synthetic_trace.jsonl')
const missing = [azure, mooncake].filter((path) => !existsSync(path))
if (missing.length > 0)
  console.warn(`skipping the public traces: ${missing.join(', ')} not found (set WINDTUNNEL_DATA)`)

function run(example: string, trace: string, ...flags: string[]) {
  const main = join(root, 'apps/cli/src/main.ts')
  const command = [
    '--conditions=@windtunnel/source',
    main,
    'run',
    `examples/${example}.yaml`,
    '--trace',
    trace,
    '--json',
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, [...command, ...flags], {
    encoding: 'utf8',
    cwd: root,
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return JSON.parse(stdout)
}

/** Every request that arrived ended in exactly one way, or is unfinished. */
function accounted(requests: Record<string, number>): number {
  const { arrived, ...endings } = requests
  expect(Object.values(endings).reduce((sum, count) => sum + count, 0)).toBe(arrived)
  return arrived!
}

const why = missing.length > 0 ? ' (skipped: the traces are not here)' : ''

describe.skipIf(missing.length > 0)(`public traces${why}`, () => {
  it.each(['azure-conversation', 'azure-disaggregated'])(
    '%s accounts for all 19,366 requests, with the same facts twice and at 1000x pace',
    (example) => {
      const first = run(example, azure)
      expect(accounted(first.requests)).toBe(19366)
      expect(run(example, azure).factsHash).toBe(first.factsHash)
      const paced = run(example, azure, '--speed', '1000')
      expect(paced.factsHash).toBe(first.factsHash)
      expect(paced.simulatedSeconds).toBe(first.simulatedSeconds)
    },
  )

  it('finds 64.58 % of the Mooncake tokens in one unlimited cache: 65.04 % less what ten rows beyond the context take away', () => {
    const one = run('mooncake-synthetic', mooncake)
    expect(accounted(one.requests)).toBe(3993)
    expect(one.requests.rejected).toBe(10)
    // Counted from the file alone: shared leading tokens in whole blocks of 16, less the last token, over all tokens of the other rows.
    expect(one.kv.prefixHitRate).toBeCloseTo(0.6458478, 6)
    const four = run('mooncake-synthetic-4-replicas', mooncake)
    expect(accounted(four.requests)).toBe(3993)
    expect(four.kv.prefixHitRate).toBeLessThan(one.kv.prefixHitRate)
    expect(run('mooncake-synthetic-4-replicas', mooncake, '--set', 'router=kv-aware').kv.prefixHitRate).toBeGreaterThan(
      four.kv.prefixHitRate,
    )
  })
})

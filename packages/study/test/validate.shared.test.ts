import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDirectory } from '../src/validate/measured/directory.ts'
import { type ValidationDocument, validationDocument } from '../src/validate/report/validationDocument.ts'
import { validate } from '../src/validate/validation.ts'

const directory = resolve(process.env['WINDTUNNEL_DATA'] ?? '../shared', 'data/groundtruth')
const isPresent = existsSync(directory)
const reason = isPresent ? '' : ` (skipped: no ${directory}; set WINDTUNNEL_DATA)`
if (!isPresent) console.warn(`measured runs are not compared${reason}`)

let known: ValidationDocument | undefined
const document = (): ValidationDocument => {
  known ??= validationDocument(validate(readDirectory(directory)))
  return known
}

describe.skipIf(!isPresent)(`measured serving${reason}`, () => {
  it('is built whole: every serving run, and nine in ten of the sweeps that are to be used', () => {
    const of = (level: string) =>
      new Set(
        document()
          .runs.filter((run) => run.level === level)
          .map((run) => run.id),
      )
    expect(of('serving').size).toBe(36)
    const few = /few points/
    const used = document().runs.filter((run) => run.level === 'sweeps' && !few.test(run.unscored ?? ''))
    expect(new Set(used.map((run) => run.id)).size).toBeGreaterThanOrEqual(0.9 * 384)
  })

  it('is met by serving runs within the published bounds: E2E, time between tokens, TTFT', () => {
    const { serving } = document().overall
    expect(serving?.e2e?.medianApe).toBeLessThan(0.025)
    expect(serving?.e2e?.p90Ape).toBeLessThan(0.09)
    expect(serving?.interToken?.medianApe).toBeLessThan(0.025)
    expect(serving?.interToken?.p90Ape).toBeLessThan(0.09)
    expect(serving?.ttft?.medianApe).toBeLessThan(0.05)
    expect(serving?.ttft?.p90Ape).toBeLessThan(0.12)
    expect(serving?.throughput?.worstApe).toBeLessThan(0.02)
  })

  it('is met by sweeps, engine by engine', () => {
    const engines = document().breakdown.sweeps?.engine ?? {}
    expect(engines['vllm']?.tpot?.medianApe).toBeLessThan(0.06)
    expect(engines['vllm']?.tpot?.p90Ape).toBeLessThan(0.2)
    expect(engines['vllm']?.ttft?.medianApe).toBeLessThan(0.15)
    expect(engines['vllm']?.ttft?.p90Ape).toBeLessThan(0.4)
    expect(engines['sglang']?.tpot?.medianApe).toBeLessThan(0.07)
    expect(engines['sglang']?.tpot?.p90Ape).toBeLessThan(0.25)
    expect(engines['sglang']?.ttft?.medianApe).toBeLessThan(0.22)
    expect(engines['trtllm']?.tpot?.medianApe).toBeLessThan(0.09)
    expect(engines['trtllm']?.tpot?.p90Ape).toBeLessThan(0.28)
    expect(engines['trtllm']?.ttft?.medianApe).toBeLessThan(0.2)
  })

  it('is met by single iterations where every kernel was measured', () => {
    const { steps } = document().overall
    expect(steps?.e2e?.medianApe).toBeLessThan(0.03)
    expect(steps?.e2e?.p90Ape).toBeLessThan(0.1)
  })

  it('names the reason wherever a run is not built or not scored', () => {
    for (const { reason: why } of document().notBuilt) expect(why.length).toBeGreaterThan(10)
    for (const run of document().runs) if (run.unscored !== undefined) expect(run.unscored).toMatch(/\w+ \w+/)
  })
})

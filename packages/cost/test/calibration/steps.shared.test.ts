import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import { describe, expect, it } from 'vitest'
import { residualsOf } from '../../src/calibration/fitting/residuals.ts'
import { createStepCost } from '../../src/step/createStepCost.ts'
import { emptyBatch } from '../../src/step/stepCost.ts'

const file = resolve(process.env['WINDTUNNEL_DATA'] ?? '../shared', 'data/groundtruth/steps.csv.gz')
const isPresent = existsSync(file)
const reason = isPresent ? '' : ` (skipped: no ${file}; set WINDTUNNEL_DATA)`
if (!isPresent) console.warn(`step times are not checked${reason}`)

interface MeasuredStep {
  case: string
  phase: string
  tp: number
  prefillTokens: number
  prefillRequests: number
  prefillContext: number
  sequences: number
  context: number
  seconds: number
}

/** Iterations below 1 s; longer ones are compilation. */
function measuredSteps(): MeasuredStep[] {
  const lines = gunzipSync(readFileSync(file)).toString().split(/\r?\n/)
  const header = lines[0]!.split(',')
  const column = (name: string) => header.indexOf(name)
  const steps = lines.slice(1).map((line) => {
    const cells = line.split(',')
    const figure = (name: string) => Number(cells[column(name)])
    return {
      case: cells[column('case')]!,
      phase: cells[column('phase')] ?? '',
      tp: figure('tp'),
      prefillTokens: figure('n_prefill_tokens'),
      prefillRequests: figure('n_prefill_reqs'),
      prefillContext: figure('prefill_context_tokens'),
      sequences: figure('n_decode_seqs'),
      context: figure('sum_decode_context'),
      seconds: figure('step_ms') / 1e3,
    }
  })
  return steps.filter((step) => step.case.includes('qwen32') && step.seconds < 1)
}

function predict(steps: readonly MeasuredStep[], tp: number) {
  const cost = createStepCost({
    architecture: model('qwen3-32b'),
    accelerator: accelerator('b300-sxm'),
    layout: { tp },
    engine: 'vllm-0.20.1',
    maxSequences: 128,
    filteredSampling: false,
  })
  return steps
    .filter((step) => step.tp === tp)
    .map((step) => {
      const chunks = step.prefillRequests
      const decodeContextTokens = step.context + step.sequences
      const batch = {
        ...emptyBatch(),
        chunkCount: chunks,
        chunkTokens: Array.from({ length: chunks }, () => step.prefillTokens / chunks),
        chunkContext: Array.from({ length: chunks }, () => step.prefillContext / chunks),
        chunkSamples: chunks,
        decodeSequences: step.sequences,
        decodeContextTokens,
        decodeWindowTokens: decodeContextTokens,
      }
      return { phase: step.phase, predicted: cost.seconds(batch), measured: step.seconds }
    })
}

describe.skipIf(!isPresent)(`iteration times of Qwen3-32B on B300${reason}`, () => {
  it('are met within 3 % at the median and 10 % at the 90th percentile, over tensor parallelism 1, 2 and 8', () => {
    const steps = measuredSteps()
    const all = [1, 2, 8].flatMap((tp) => predict(steps, tp))
    const residuals = residualsOf(all)!
    const mixed = residualsOf(all.filter((step) => step.phase !== 'decode'))!
    console.info('all steps:', residuals, 'with a prefill:', mixed)
    expect(residuals.rows).toBeGreaterThan(19_000)
    expect(residuals.medianPercent).toBeLessThan(3)
    expect(residuals.p90Percent).toBeLessThan(10)
    expect(mixed.medianPercent).toBeLessThan(6)
  })
})

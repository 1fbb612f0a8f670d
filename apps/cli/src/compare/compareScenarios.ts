import { availableParallelism } from 'node:os'
import { type ComparedRun, type Comparison, compare } from '@windtunnel/study/compare/index'
import { runOnWorkers } from '@windtunnel/study/workers/workerPool'
import * as Option from 'effect/Option'
import type { CompareInput } from '../commands/compare.ts'
import { CliFault } from '../fault.ts'
import { policyFiles } from '../input/policyFile.ts'
import { loadScenario } from '../input/scenarioFile.ts'
import { readVariations } from '../input/variations.ts'
import { print, printJson } from '../output/print.ts'
import { ProgressBar } from '../output/progress.ts'
import { comparisonTable } from './comparisonTable.ts'
import { runVariant, type VariantTask } from './runVariant.ts'

interface Variant {
  readonly name: string
  /** One for each seed. */
  readonly tasks: readonly VariantTask[]
}

/** The verb `compare`: everything that can be wrong with its words is said before the first simulation begins. */
export async function compareScenarios(input: CompareInput): Promise<void> {
  const { variants, seeds } = await variantsOf(input)
  const tasks = variants.flatMap((variant) => variant.tasks)
  const runs = await runAll(tasks, Option.getOrUndefined(input.threads))
  const comparison: Comparison = compare(
    variants.map(({ name }, at) => ({ name, runs: runs.slice(at * seeds.length, (at + 1) * seeds.length) })),
    seeds,
  )
  if (input.json) await printJson(comparison)
  else await print(comparisonTable(comparison))
}

async function variantsOf(input: CompareInput): Promise<{ variants: Variant[]; seeds: number[] }> {
  const named = (await policyFiles(input.policy)).map(({ path, kind, name }) => ({ path, kind, name }))
  const variations = readVariations(input.vary, named)
  if (input.scenarios.length * variations.length < 2)
    throw new CliFault('there is one variant only: name another scenario, or add --vary PATH=VALUE,VALUE')
  let firstSeed = Option.getOrUndefined(input.seed)
  const variants: Variant[] = []
  for (const scenario of input.scenarios) {
    for (const variation of variations) {
      const base = await loadScenario(
        { ...input, scenario, seed: Option.fromUndefinedOr(firstSeed) },
        variation.overrides,
      )
      firstSeed ??= base.scenario.seed
      const first = firstSeed
      const name = [input.scenarios.length > 1 ? scenario : '', variation.name].filter((part) => part !== '').join(' ')
      const variant = distinct(name, variants)
      const tasks = Array.from({ length: input.seeds }, (_, at) => ({
        ...base,
        name: variant,
        policies: variation.policies,
        scenario: { ...base.scenario, seed: first + at },
      }))
      variants.push({ name: variant, tasks })
    }
  }
  return { variants, seeds: Array.from({ length: input.seeds }, (_, at) => firstSeed! + at) }
}

/** The same file named twice is two variants. */
const distinct = (name: string, variants: readonly Variant[]): string => {
  const before = variants.filter((variant) => variant.name === name || variant.name.startsWith(`${name} #`)).length
  return before === 0 ? name : `${name} #${before + 1}`
}

async function runAll(tasks: readonly VariantTask[], threads = availableParallelism()): Promise<ComparedRun[]> {
  const bar = new ProgressBar(process.stderr, true)
  let done = 0
  const tell = (): void => bar.update(++done / tasks.length, `${done} of ${tasks.length} runs`)
  try {
    if (Math.min(threads, tasks.length) > 1) {
      const program = import.meta.url.endsWith('.ts') ? './variantWorker.ts' : './variantWorker.js'
      const worker = new URL(program, import.meta.url)
      return await runOnWorkers<VariantTask, ComparedRun>(worker, tasks, { threads, onResult: tell })
    }
    const runs: ComparedRun[] = []
    for (const task of tasks) {
      runs.push(await runVariant(task))
      tell()
    }
    return runs
  } finally {
    bar.clear()
  }
}

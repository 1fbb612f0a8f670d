import type { PartSpec } from '../parts/option.ts'
import { fixedLength } from './lengthSpecs.ts'
import type { SpecTable } from './table.ts'

/** Stages of rate (requests per second) and duration (s), as inference-perf and BLIS write them. */
export const stagedArrivals = (stages: readonly SpecTable[], spacing: 'poisson' | 'even'): PartSpec => ({
  name: 'staged',
  stages: stages.map((stage) => ({ requestsPerSecond: stage.number('rate'), seconds: stage.number('duration') })),
  spacing,
})

/** Groups of prompts with a common system prompt, under the names that both tools have used. */
export function sharedPrefixStructure(table: SpecTable): PartSpec {
  const groups = table.has('num_unique_system_prompts')
    ? table.number('num_unique_system_prompts')
    : table.number('num_groups')
  return {
    name: 'sharedPrefix',
    groups,
    prefix: fixedLength(table.number('system_prompt_len')),
    input: fixedLength(table.number('question_len')),
    output: fixedLength(table.number('output_len')),
  }
}

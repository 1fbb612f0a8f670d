import { blisTraffic } from './blis.ts'
import { SpecError } from './errors.ts'
import type { ImportedTraffic } from './importedTraffic.ts'
import { inferenceLabTraffic } from './inferenceLab.ts'
import { inferencePerfTraffic } from './inferencePerf.ts'

export { SpecError } from './errors.ts'
export type { ImportedTraffic } from './importedTraffic.ts'
export { serveGenStream } from './serveGen.ts'

/** Workload descriptions of other tools, by name, each with how it is recognised in a parsed YAML, TOML or JSON. */
export const workloadSpecs = {
  blis: { fields: ['clients'], read: blisTraffic },
  blisInferencePerf: { fields: ['inference_perf'], read: blisTraffic },
  inferencePerf: { fields: ['load', 'data'], read: inferencePerfTraffic },
  inferenceLab: { fields: ['arrival_pattern', 'input_len_dist'], read: inferenceLabTraffic },
} as const satisfies Record<string, { fields: readonly string[]; read: (parsed: unknown) => ImportedTraffic }>

export type WorkloadSpecName = keyof typeof workloadSpecs

/** The traffic of another tool's description, recognised by its fields. Throws SpecError. */
export function importTraffic(parsed: unknown): ImportedTraffic {
  const table: object = typeof parsed === 'object' && parsed !== null ? parsed : {}
  for (const { fields, read } of Object.values(workloadSpecs)) {
    if (fields.every((field) => Object.hasOwn(table, field))) return read(parsed)
  }
  throw new SpecError(
    'workload',
    `a description of ${Object.keys(workloadSpecs).join(', ')}`,
    'one with none of their fields',
  )
}

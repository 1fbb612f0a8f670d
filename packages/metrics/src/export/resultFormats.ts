import { aiperfRecord, aiperfResult } from './aiperfResult.ts'
import { guidellmResult } from './guidellmResult.ts'
import type { ResultLabels } from './resultLabels.ts'
import type { ResultSet } from './resultSet.ts'
import { sglangLine } from './sglangBench.ts'
import { vllmBenchResult } from './vllmBench.ts'

/** A result file of another tool: its usual name and how its text is made. */
export interface ResultFormat {
  readonly name: string
  readonly description: string
  readonly fileName: string
  text(set: ResultSet, labels: ResultLabels): string
}

const pretty = (value: unknown): string => `${JSON.stringify(value, undefined, 1)}\n`

const FORMATS: readonly ResultFormat[] = [
  {
    name: 'vllm',
    description: 'the result JSON of vllm bench serve',
    fileName: 'vllm_bench_serve.json',
    text: (set, labels) => pretty(vllmBenchResult(set, labels)),
  },
  {
    name: 'sglang',
    description: 'a line of the result file of SGLang bench_serving',
    fileName: 'sglang_bench_serving.jsonl',
    text: (set, labels) => `${sglangLine(set, labels)}\n`,
  },
  {
    name: 'aiperf',
    description: 'profile_export_aiperf.json of aiperf',
    fileName: 'profile_export_aiperf.json',
    text: (set, labels) => pretty(aiperfResult(set, labels)),
  },
  {
    name: 'aiperf-records',
    description: 'profile_export.jsonl of aiperf, one request a line',
    fileName: 'profile_export.jsonl',
    text: (set, labels) => set.requests.map((one) => `${JSON.stringify(aiperfRecord(one, labels))}\n`).join(''),
  },
  {
    name: 'guidellm',
    description: 'a guidellm report with one benchmark',
    fileName: 'guidellm_benchmarks.json',
    text: (set, labels) => pretty(guidellmResult(set, labels)),
  },
]

/** The result files of other tools by name. */
export const resultFormats: ReadonlyMap<string, ResultFormat> = new Map(
  FORMATS.map((format) => [format.name, format] as const),
)

import { aiperfRecord, aiperfResult } from './aiperfResult.ts'
import { guidellmResult } from './guidellmResult.ts'
import { jsonPieces } from './jsonPieces.ts'
import type { ResultLabels } from './resultLabels.ts'
import type { ResultSet } from './resultSet.ts'
import { sglangLine } from './sglangBench.ts'
import { vllmBenchResult } from './vllmBench.ts'

/** A result file of another tool: its usual name and how its text is made, at once or in pieces. */
export interface ResultFormat {
  readonly name: string
  readonly description: string
  readonly fileName: string
  text(set: ResultSet, labels: ResultLabels): string
  pieces(set: ResultSet, labels: ResultLabels): Iterable<string>
}

function* pretty(value: unknown): Generator<string> {
  yield* jsonPieces(value)
  yield '\n'
}

function* records(set: ResultSet, labels: ResultLabels): Generator<string> {
  for (const one of set.requests) yield `${JSON.stringify(aiperfRecord(one, labels))}\n`
}

const FORMATS: readonly Omit<ResultFormat, 'text'>[] = [
  {
    name: 'vllm',
    description: 'the result JSON of vllm bench serve',
    fileName: 'vllm_bench_serve.json',
    pieces: (set, labels) => pretty(vllmBenchResult(set, labels)),
  },
  {
    name: 'sglang',
    description: 'a line of the result file of SGLang bench_serving',
    fileName: 'sglang_bench_serving.jsonl',
    pieces: (set, labels) => [`${sglangLine(set, labels)}\n`],
  },
  {
    name: 'aiperf',
    description: 'profile_export_aiperf.json of aiperf',
    fileName: 'profile_export_aiperf.json',
    pieces: (set, labels) => pretty(aiperfResult(set, labels)),
  },
  {
    name: 'aiperf-records',
    description: 'profile_export.jsonl of aiperf, one request a line',
    fileName: 'profile_export.jsonl',
    pieces: records,
  },
  {
    name: 'guidellm',
    description: 'a guidellm report with one benchmark',
    fileName: 'guidellm_benchmarks.json',
    pieces: (set, labels) => pretty(guidellmResult(set, labels)),
  },
]

/** The result files of other tools by name. */
export const resultFormats: ReadonlyMap<string, ResultFormat> = new Map(
  FORMATS.map((format) => [
    format.name,
    { ...format, text: (set: ResultSet, labels: ResultLabels) => [...format.pieces(set, labels)].join('') },
  ]),
)

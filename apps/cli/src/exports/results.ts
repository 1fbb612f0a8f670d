import { type Objectives, ResultCollector, type ResultLabels, resultFormats } from '@windtunnel/metrics'
import type { BuiltRun } from '@windtunnel/scenario/build/buildRun'
import { measuredWindowOf } from '@windtunnel/scenario/build/measuredWindow'
import type { ExportKind } from './exportKind.ts'

/** The simulation knows no date: result files of other tools say that it began with the epoch. */
const EPOCH = { startedAt: '1970-01-01T00:00:00.000Z', startedAtSeconds: 0 }

const labelsFor = (run: BuiltRun, goodput: number): ResultLabels => ({
  model: run.architecture.name,
  ...EPOCH,
  requestsPerSecond: run.requestsPerSecond,
  ...(run.objectives.some(isPromise) ? { goodput } : {}),
})

const isPromise = ({ ttft, tpot, e2e }: Objectives): boolean => (ttft ?? tpot ?? e2e) !== undefined

function resultKind(name: string): ExportKind {
  const format = resultFormats.get(name)!
  return {
    name,
    description: format.description,
    start(run, file) {
      const collector = new ResultCollector(measuredWindowOf(run.scenario))
      return {
        recording: collector,
        finish(_recorder, summary) {
          const set = collector.collected(summary.simulatedSeconds)
          for (const piece of format.pieces(set, labelsFor(run, summary.goodput))) file.write(piece)
        },
      }
    },
  }
}

export const vllm = resultKind('vllm')
export const sglang = resultKind('sglang')
export const aiperf = resultKind('aiperf')
export const aiperfRecords = resultKind('aiperf-records')
export const guidellm = resultKind('guidellm')

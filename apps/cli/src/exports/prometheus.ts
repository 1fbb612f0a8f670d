import { VllmMetrics } from '@windtunnel/metrics'
import type { ExportKind } from './exportKind.ts'

export const prometheus: ExportKind = {
  name: 'prometheus',
  description: "the end of the run as a Prometheus page with vLLM's series, labels and buckets",
  start(run, file) {
    const metrics = new VllmMetrics(run.architecture.maxContextTokens)
    return {
      recording: metrics,
      finish: (recorder) => file.write(metrics.page(run.architecture.name, recorder.summary, run.simulation.view())),
    }
  },
}

import { PerfettoTrace } from '@windtunnel/metrics'
import type { ExportKind } from './exportKind.ts'

export const perfetto: ExportKind = {
  name: 'perfetto',
  description: 'a trace for ui.perfetto.dev or chrome://tracing: steps, KV use, transfers, requests',
  start(run, file) {
    const pools = run.simulation.view().replicas.map(({ pool }) => pool)
    const trace = new PerfettoTrace({
      write: (text) => file.write(text),
      nameOf: (replica) => `${pools[replica] ?? 'added'} ${replica}`,
    })
    return {
      recording: trace,
      sample: (view) => trace.sample(view),
      finish: (_recorder, summary) => trace.close(summary.simulatedSeconds),
    }
  },
}

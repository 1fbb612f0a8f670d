import { serverMetricsPage } from '@windtunnel/metrics'
import type { ExportKind } from './exportKind.ts'

const NONE =
  '# No server of this run shows metrics of its own: only those of the engines interleaved and disaggregated (JetStream) do.\n'

export const serverMetrics: ExportKind = {
  name: 'server-metrics',
  description: 'the metrics pages that the simulated JetStream servers show of themselves at the end of the run',
  start: (run, file) => ({
    finish: () => {
      const servers = run.simulation.serverMetrics?.() ?? []
      file.write(servers.length === 0 ? NONE : serverMetricsPage(run.architecture.name, servers))
    },
  }),
}

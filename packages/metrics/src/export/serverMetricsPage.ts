import type { ServerMetric } from '@windtunnel/orchestrator'
import type { Labels } from './prometheusText.ts'
import { PrometheusText } from './prometheusText.ts'

/** Pages that simulated servers show of themselves, as one page in Prometheus's text format; `id` is the replica. */
export function serverMetricsPage(
  modelName: string,
  servers: readonly { readonly replica: number; readonly page: readonly ServerMetric[] }[],
): string {
  const families = new Map<string, [Labels, ServerMetric['sample']][]>()
  for (const { replica, page } of servers) {
    for (const { name, labels, sample } of page) {
      const series = families.get(name) ?? []
      families.set(name, series)
      series.push([{ id: String(replica), model_name: modelName.replaceAll('-', '_'), ...labels }, sample])
    }
  }
  const text = new PrometheusText()
  for (const [name, series] of families) text.samples(name, series)
  return text.toString()
}

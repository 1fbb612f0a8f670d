import { PrometheusText } from '@windtunnel/metrics'
import type { Told } from './told.ts'

/** The page at /metrics: the simulated fleet of the first run under vLLM's names, then the server itself under its own. */
export async function metricsPage({ directory, viewers, refused }: Told): Promise<string> {
  const fleet = await directory
    .first()
    ?.ask({ kind: 'question', about: 'metrics' })
    .catch(() => '')
  const text = new PrometheusText()
  const runs = directory.all().map((channel) => [{ run: channel.run }, channel] as const)
  text.family('gauge', 'windtunnel_server_viewers', 'Viewers connected to this server.', [[{}, viewers()]])
  text.family('counter', 'windtunnel_server_refused_total', 'Connections refused.', [[{}, refused()]])
  text.family('gauge', 'windtunnel_server_resident_bytes', 'Memory of the process.', [[{}, process.memoryUsage.rss()]])
  text.family('counter', 'windtunnel_server_uptime_seconds_total', 'Seconds since the start.', [[{}, process.uptime()]])
  text.family(
    'gauge',
    'windtunnel_run_time_seconds',
    'Virtual time of each run.',
    runs.map(([labels, channel]) => [labels, channel.entry.time]),
  )
  text.family(
    'gauge',
    'windtunnel_run_viewers',
    'Viewers of each run.',
    runs.map(([labels, channel]) => [labels, channel.viewers]),
  )
  const spent = await Promise.all(runs.map(async ([labels, channel]) => [labels, await channel.cpuSeconds()] as const))
  text.family(
    'counter',
    'windtunnel_run_cpu_seconds_total',
    "Processor time of each run's thread.",
    spent.flatMap(([labels, seconds]) => (seconds === undefined ? [] : [[labels, seconds] as const])),
  )
  return `${fleet ?? ''}${text}`
}

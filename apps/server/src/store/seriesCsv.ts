import type { Frame } from '@windtunnel/protocol'

/** The columns of an exported series. Units are in the names; a figure that a frame lacks is an empty cell. */
const COLUMNS: readonly (readonly [name: string, read: (frame: Frame) => number | string | undefined])[] = [
  ['time_s', (frame) => frame.time],
  ['wall_s', (frame) => frame.wall],
  ['state', (frame) => frame.state],
  ['arrived', (frame) => frame.requests.arrived],
  ['completed', (frame) => frame.requests.completed],
  ['unfinished', (frame) => frame.requests.unfinished],
  ['arrivals_per_s', (frame) => frame.arrivalRate],
  ['requests_per_s', (frame) => frame.requestsPerSecond],
  ['goodput_per_s', (frame) => frame.goodput],
  ['input_tokens_per_s', (frame) => frame.inputTokensPerSecond],
  ['output_tokens_per_s', (frame) => frame.outputTokensPerSecond],
  ...(['ttft', 'itl', 'tpot', 'e2e', 'queue'] as const).flatMap((metric) =>
    (['p50', 'p90', 'p99'] as const).map(
      (part) => [`${metric}_${part}_s`, (frame: Frame) => frame[metric]?.[part]] as const,
    ),
  ),
  ['waiting', (frame) => frame.waiting],
  ['transferring', (frame) => frame.transferring],
  ['running', (frame) => frame.running],
  ['batch', (frame) => frame.batch],
  ['kv_use', (frame) => frame.kvUse],
  ['prefix_hit_rate', (frame) => frame.prefixHitRate],
  ['preemptions_per_s', (frame) => frame.preemptionsPerSecond],
  ['dollars_per_million_output_tokens', (frame) => frame.costPerMillionTokens],
  ['asked_requests_per_s', (frame) => frame.rate],
  ['router', (frame) => frame.router],
  ['scheduler', (frame) => frame.scheduler],
]

/** Frames (JSON texts) as CSV with a head line. */
export function seriesCsv(frames: readonly string[]): string {
  const lines = frames.map((text) => {
    const frame = JSON.parse(text) as Frame
    return COLUMNS.map(([, read]) => cell(read(frame))).join(',')
  })
  return `${[COLUMNS.map(([name]) => name).join(','), ...lines].join('\n')}\n`
}

function cell(value: number | string | undefined): string {
  if (value === undefined) return ''
  const text = String(value)
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

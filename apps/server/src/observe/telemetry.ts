import * as Context from 'effect/Context'
import { type About, type Log, silent } from './log.ts'

/** Where traces, metrics and logs of the server go beyond its own log. */
export interface Telemetry {
  /** Services under which HTTP requests are answered: the tracer. */
  readonly context: Context.Context<never>
  readonly log: Log
  /** Does the work under a span of this name. */
  span<T>(name: string, about: About, work: () => Promise<T>): Promise<T>
  /** Shows a figure that is read now and then. Stops with `close`. */
  gauge(name: string, description: string, read: () => number): void
  close(): Promise<void>
}

/** Nowhere. */
export const noTelemetry: Telemetry = {
  context: Context.empty(),
  log: silent,
  span: (_name, _about, work) => work(),
  gauge: () => undefined,
  close: async () => undefined,
}

type Environment = Readonly<Record<string, string | undefined>>

/** OpenTelemetry when OTEL_EXPORTER_OTLP_ENDPOINT asks for it; only then its code is loaded. */
export async function telemetryOf(environment: Environment = process.env): Promise<Telemetry> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = environment
  if (endpoint === undefined || endpoint === '') return noTelemetry
  const { openTelemetry } = await import('./openTelemetry.ts')
  return openTelemetry(environment)
}

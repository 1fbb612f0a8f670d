import { clearInterval, setInterval } from 'node:timers'
import * as ConfigProvider from 'effect/ConfigProvider'
import * as Effect from 'effect/Effect'
import * as FetchHttpClient from 'effect/http/FetchHttpClient'
import * as Layer from 'effect/Layer'
import * as ManagedRuntime from 'effect/ManagedRuntime'
import * as Metric from 'effect/Metric'
import * as Otlp from 'effect/observability/Otlp'
import * as OtlpSerialization from 'effect/observability/OtlpSerialization'
import type { About, Log } from './log.ts'
import type { Telemetry } from './telemetry.ts'

/** What holds where the environment does not say otherwise. */
const DEFAULTS = {
  OTEL_SERVICE_NAME: 'windtunnel',
  OTEL_TRACES_EXPORTER: 'otlp',
  OTEL_METRICS_EXPORTER: 'otlp',
  OTEL_LOGS_EXPORTER: 'otlp',
}
const GAUGE_SECONDS = 1

/** Sends traces, metrics and logs over OTLP (HTTP, JSON), as the OTEL_ variables of the environment say. */
export async function openTelemetry(environment: Readonly<Record<string, string | undefined>>): Promise<Telemetry> {
  const variables = { ...DEFAULTS, ...environment }
  const layer = Otlp.layerFromConfig({ loggerMergeWithExisting: false }).pipe(
    Layer.provide(OtlpSerialization.layerJson),
    Layer.provide(FetchHttpClient.layer),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord(variables))),
  )
  const runtime = ManagedRuntime.make(layer)
  const context = await runtime.context()
  const timers = new Set<NodeJS.Timeout>()
  return {
    context,
    log: logOf((line) => runtime.runFork(line)),
    span: (name, about, work) =>
      runtime.runPromise(
        Effect.tryPromise({ try: work, catch: (cause) => cause }).pipe(
          Effect.withSpan(name, { attributes: attributesOf(about) }),
        ),
      ),
    gauge: (name, description, read) => {
      const gauge = Metric.gauge(name, { description })
      const update = (): void => void runtime.runFork(Metric.update(gauge, read()))
      update()
      timers.add(setInterval(update, GAUGE_SECONDS * 1000).unref())
    },
    close: async () => {
      for (const timer of timers) clearInterval(timer)
      await runtime.dispose()
    },
  }
}

const LINES = { debug: Effect.logDebug, info: Effect.logInfo, warn: Effect.logWarning, error: Effect.logError }

const logOf =
  (run: (line: Effect.Effect<void>) => unknown): Log =>
  (level, message, about = {}) =>
    void run(LINES[level](message).pipe(Effect.annotateLogs(attributesOf(about))))

const attributesOf = (about: About): Record<string, unknown> =>
  Object.fromEntries(Object.entries(about).map(([field, value]) => [`windtunnel.${field}`, value]))

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PROTOCOL_VERSION } from '@windtunnel/protocol'
import * as Effect from 'effect/Effect'
import * as HttpRouter from 'effect/http/HttpRouter'
import * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as HttpStaticServer from 'effect/http/HttpStaticServer'
import * as Layer from 'effect/Layer'
import type { Question } from '../run/runNews.ts'
import type { RunChannel } from '../stream/runChannel.ts'
import type { RunDirectory } from '../stream/runDirectory.ts'
import { metricsPage } from './metricsPage.ts'

/** What the routes tell about. */
export interface Told {
  readonly directory: RunDirectory
  readonly viewers: () => number
  /** Connections refused since the start. */
  readonly refused: () => number
}

const PROMETHEUS_TYPE = { contentType: 'text/plain; version=0.0.4; charset=utf-8' }
const JSON_TYPE = { contentType: 'application/json' }
const WEB_ROOT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const json = (value: unknown) => HttpServerResponse.text(JSON.stringify(value), JSON_TYPE)

const fault = (status: number, message: string) =>
  HttpServerResponse.text(JSON.stringify({ error: message }), { ...JSON_TYPE, status })

function withRun(
  directory: RunDirectory,
  answer: (channel: RunChannel) => Effect.Effect<HttpServerResponse.HttpServerResponse>,
) {
  return Effect.gen(function* () {
    const { run = '' } = yield* HttpRouter.params
    const channel = directory.get(run)
    if (channel !== undefined) return yield* answer(channel)
    const known = directory.entries().map((entry) => entry.run)
    return fault(404, `There is no run "${run}"; known: ${known.join(', ') || 'none'}.`)
  })
}

/** The answer of the run as it is: text already. */
const asked = (channel: RunChannel, about: Question) =>
  Effect.tryPromise(() => channel.ask({ kind: 'question', about })).pipe(
    Effect.match({
      onSuccess: (text) => HttpServerResponse.text(text, about === 'metrics' ? PROMETHEUS_TYPE : JSON_TYPE),
      onFailure: (cause) => fault(503, String(cause.cause)),
    }),
  )

function describe(channel: RunChannel): string {
  const { entry, facts, frame } = channel
  return `{"run":${JSON.stringify(entry)},"scenario":${JSON.stringify(facts ?? null)},"frame":${frame ?? 'null'}}`
}

const prometheus = (text: string) => HttpServerResponse.text(text, PROMETHEUS_TYPE)

function apiRoutes(told: Told) {
  const { directory, viewers } = told
  return Layer.mergeAll(
    HttpRouter.add(
      'GET',
      '/api/health',
      Effect.sync(() =>
        json({ ok: true, protocol: PROTOCOL_VERSION, runs: directory.entries().length, viewers: viewers() }),
      ),
    ),
    HttpRouter.add(
      'GET',
      '/api/runs',
      Effect.sync(() => json(directory.entries())),
    ),
    HttpRouter.add(
      'GET',
      '/api/runs/:run',
      withRun(directory, (channel) => Effect.sync(() => HttpServerResponse.text(describe(channel), JSON_TYPE))),
    ),
    HttpRouter.add(
      'GET',
      '/api/runs/:run/summary',
      withRun(directory, (channel) => asked(channel, 'summary')),
    ),
    HttpRouter.add(
      'GET',
      '/api/runs/:run/log',
      withRun(directory, (channel) => asked(channel, 'log')),
    ),
    HttpRouter.add(
      'GET',
      '/api/runs/:run/metrics',
      withRun(directory, (channel) => asked(channel, 'metrics')),
    ),
    HttpRouter.add('GET', '/metrics', Effect.promise(() => metricsPage(told)).pipe(Effect.map(prometheus))),
    HttpRouter.add('GET', '/api/*', Effect.succeed(fault(404, 'No such address; see docs/protocol.md.'))),
  )
}

/** The built dashboard; without one, a page that says how to build it. */
function pageRoutes() {
  if (existsSync(WEB_ROOT)) return HttpStaticServer.layer({ root: WEB_ROOT, spa: true, cacheControl: 'no-cache' })
  const page =
    '<!doctype html><title>Windtunnel</title><p>The dashboard is not built yet. Run <code>npm run build</code>.'
  return HttpRouter.add('GET', '/*', HttpServerResponse.text(page, { contentType: 'text/html' }))
}

export const routes = (told: Told) => Layer.mergeAll(apiRoutes(told), pageRoutes())

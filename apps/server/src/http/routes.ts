import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { openApiDocument, PROTOCOL_VERSION } from '@windtunnel/protocol'
import * as Effect from 'effect/Effect'
import * as HttpRouter from 'effect/http/HttpRouter'
import * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as HttpStaticServer from 'effect/http/HttpStaticServer'
import * as Layer from 'effect/Layer'
import type { RunStore } from '../store/runStore.ts'
import type { RunDirectory } from '../stream/runDirectory.ts'
import { fault, json, prometheus } from './answers.ts'
import { keptRoutes } from './keptRoutes.ts'
import { metricsPage } from './metricsPage.ts'
import { type OpenRequested, runRoutes } from './runRoutes.ts'

/** What the routes tell about, and what they may set going. */
export interface Told {
  readonly directory: RunDirectory
  readonly viewers: () => number
  /** Connections refused since the start. */
  readonly refused: () => number
  readonly open: OpenRequested
  readonly store: RunStore | undefined
}

const WEB_ROOT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const serverRoutes = (told: Told) =>
  Layer.mergeAll(
    HttpRouter.add(
      'GET',
      '/api/health',
      Effect.sync(() =>
        json({
          ok: true,
          protocol: PROTOCOL_VERSION,
          runs: told.directory.entries().length,
          viewers: told.viewers(),
        }),
      ),
    ),
    HttpRouter.add('GET', '/metrics', Effect.promise(() => metricsPage(told)).pipe(Effect.map(prometheus))),
    HttpRouter.add(
      'GET',
      '/api/openapi.json',
      Effect.sync(() => json(openApiDocument())),
    ),
    HttpRouter.add('*', '/api/*', Effect.succeed(fault(404, 'No such address or method; see docs/protocol.md.'))),
  )

/** The built dashboard; without one, a page that says how to build it. */
function pageRoutes() {
  if (existsSync(WEB_ROOT)) return HttpStaticServer.layer({ root: WEB_ROOT, spa: true, cacheControl: 'no-cache' })
  const page =
    '<!doctype html><title>Windtunnel</title><p>The dashboard is not built yet. Run <code>npm run build</code>.'
  return HttpRouter.add('GET', '/*', HttpServerResponse.text(page, { contentType: 'text/html' }))
}

export const routes = (told: Told) =>
  Layer.mergeAll(
    serverRoutes(told),
    runRoutes(told.directory, told.open),
    ...(told.store === undefined ? [] : [keptRoutes(told.store)]),
    pageRoutes(),
  )

import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { WindtunnelApi } from '@windtunnel/protocol/http/api'
import { openApiDocument } from '@windtunnel/protocol/http/openApi'
import * as Effect from 'effect/Effect'
import * as HttpRouter from 'effect/http/HttpRouter'
import * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as HttpStaticServer from 'effect/http/HttpStaticServer'
import * as HttpApiBuilder from 'effect/http-api/HttpApiBuilder'
import * as Layer from 'effect/Layer'
import { fault, json } from './answers.ts'
import { keptHandlers } from './keptHandlers.ts'
import { runHandlers } from './runHandlers.ts'
import { serverHandlers } from './serverHandlers.ts'
import type { Told } from './told.ts'

const WEB_ROOT = fileURLToPath(new URL('../../../web/dist', import.meta.url))

const apiRoutes = (told: Told) =>
  HttpApiBuilder.layer(WindtunnelApi).pipe(Layer.provide([serverHandlers(told), runHandlers(told), keptHandlers(told)]))

const otherRoutes = Layer.mergeAll(
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

export const routes = (told: Told) => Layer.mergeAll(apiRoutes(told), otherRoutes, pageRoutes())

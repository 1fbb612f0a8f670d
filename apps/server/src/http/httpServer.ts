import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import * as NodeHttpServer from '@effect/platform-node/NodeHttpServer'
import type * as Context from 'effect/Context'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import * as HttpRouter from 'effect/http/HttpRouter'
import * as Layer from 'effect/Layer'
import * as Scope from 'effect/Scope'
import type { Log } from '../observe/log.ts'
import { type GateOptions, originAllowed, tokenAccepted } from './gate.ts'
import { routes } from './routes.ts'
import type { Told } from './told.ts'

const guarded = (url: string | undefined): boolean =>
  url?.startsWith('/api') === true || url?.startsWith('/metrics') === true

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ error: message }))
}

export interface HttpLimits {
  /** A connection on which nothing comes or goes for so long is closed; those of viewers are not. */
  readonly silentSeconds: number
  /** Connections of all kinds; more are closed at once. */
  readonly connections: number
}

export const SILENT_SECONDS = 30
/** Connections for other requests, beside those of the most viewers there may be. */
export const OTHER_CONNECTIONS = 500

/** A node:http server whose requests Effect's router answers, behind the gate. Upgrades are left to the caller. */
export async function openHttpServer(
  told: Told,
  gate: GateOptions,
  { log, context }: { log: Log; context: Context.Context<never> },
  { silentSeconds, connections }: HttpLimits,
): Promise<{ server: Server; close: () => Promise<void> }> {
  const scope = Effect.runSync(Scope.make())
  const app = HttpRouter.toHttpEffect(routes(told).pipe(Layer.provide(HttpRouter.disableLogger)))
  const answer = await Effect.runPromise(
    app.pipe(
      Effect.flatMap((effect) => NodeHttpServer.makeHandler(effect, { scope })),
      Effect.provide(NodeHttpServer.layerHttpServices),
      Scope.provide(scope),
      Effect.provide(context),
    ),
  )
  const server = createServer(
    { requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
    (request: IncomingMessage, response) => {
      response.on('finish', () =>
        log('debug', 'request answered', {
          method: request.method ?? '',
          path: (request.url ?? '').split('?')[0] ?? '',
          status: response.statusCode,
        }),
      )
      if (!originAllowed(request, gate)) refuse(response, 403, 'This page or host name may not use this server.')
      else if (guarded(request.url) && !tokenAccepted(request, gate))
        refuse(response, 401, 'A token is needed: "Authorization: Bearer TOKEN" or "?token=TOKEN".')
      else answer(request, response)
    },
  )
  server.setTimeout(silentSeconds * 1000)
  server.maxConnections = connections
  const close = async (): Promise<void> => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await Effect.runPromise(Scope.close(scope, Exit.void))
  }
  return { server, close }
}

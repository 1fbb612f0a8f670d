import { PROTOCOL_VERSION } from '@windtunnel/protocol'
import { WindtunnelApi } from '@windtunnel/protocol/http/api'
import * as Effect from 'effect/Effect'
import * as HttpApiBuilder from 'effect/http-api/HttpApiBuilder'
import { json, prometheus } from './answers.ts'
import { metricsPage } from './metricsPage.ts'
import type { Told } from './told.ts'

export const serverHandlers = (told: Told) =>
  HttpApiBuilder.group(WindtunnelApi, 'server', (handlers) =>
    handlers
      .handleRaw('health', () =>
        Effect.sync(() =>
          json({
            ok: true,
            protocol: PROTOCOL_VERSION,
            runs: told.directory.entries().length,
            viewers: told.viewers(),
          }),
        ),
      )
      .handleRaw('metrics', () => Effect.promise(() => metricsPage(told)).pipe(Effect.map(prometheus))),
  )

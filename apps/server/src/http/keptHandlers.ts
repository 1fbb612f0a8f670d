import { WindtunnelApi } from '@windtunnel/protocol/http/api'
import * as Effect from 'effect/Effect'
import * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as HttpApiBuilder from 'effect/http-api/HttpApiBuilder'
import { compareKept } from '../store/compareKept.ts'
import { keptDocument, keptExport } from '../store/keptDocuments.ts'
import type { RunStore, StoredRun } from '../store/runStore.ts'
import { seriesCsv } from '../store/seriesCsv.ts'
import { type Answer, fault, json, jsonText, promised } from './answers.ts'
import { withBody } from './body.ts'
import { readReopenRequest } from './runRequest.ts'
import type { Told } from './told.ts'

type Response = HttpServerResponse.HttpServerResponse

const idOf = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined)

const missing = (id: string): Response => fault(404, `There is no kept run ${id}; GET /api/kept lists those there are.`)

/** Runs in the store: list, read, compare, open again, take away. */
export const keptHandlers = ({ store, runs, bodyBytes }: Told) => {
  const withStore = (answer: (store: RunStore) => Promise<Response>): Answer =>
    store === undefined
      ? Effect.succeed(fault(404, 'This server keeps no runs; start it with a store.'))
      : promised(503, () => answer(store))
  const withKept = (id: string, answer: (kept: StoredRun, store: RunStore) => Promise<Response>): Answer =>
    withStore(async (store) => {
      const number = idOf(id)
      const kept = number === undefined ? undefined : await store.find(number)
      return kept === undefined ? missing(id) : answer(kept, store)
    })
  return HttpApiBuilder.group(WindtunnelApi, 'kept', (handlers) =>
    handlers
      .handleRaw('list', () => withStore(async (store) => json(await store.list())))
      .handleRaw('describe', ({ params }) => withKept(params.id, async (kept) => jsonText(keptDocument(kept))))
      .handleRaw('frames', ({ params }) =>
        withKept(params.id, async ({ id }, store) => jsonText(`[${(await store.frames(id)).join(',')}]`)),
      )
      .handleRaw('series', ({ params }) =>
        withKept(params.id, async ({ id }, store) =>
          HttpServerResponse.text(seriesCsv(await store.frames(id)), {
            contentType: 'text/csv; charset=utf-8',
            headers: { 'content-disposition': `attachment; filename="run-${id}.csv"` },
          }),
        ),
      )
      .handleRaw('events', ({ params }) =>
        withKept(params.id, async ({ id }, store) => jsonText(`[${(await store.events(id)).join(',')}]`)),
      )
      .handleRaw('export', ({ params }) =>
        withKept(params.id, async (kept, store) =>
          jsonText(keptExport(kept, await store.events(kept.id), await store.frames(kept.id))),
        ),
      )
      .handleRaw('compare', ({ params }) =>
        withKept(params.id, async (first, store) => {
          const other = idOf(params.other)
          const second = other === undefined ? undefined : await store.find(other)
          return second === undefined ? missing(params.other) : json(compareKept(first, second))
        }),
      )
      .handleRaw('reopen', ({ params, request }) =>
        withBody(bodyBytes, request, (body) => {
          const wish = readReopenRequest(body)
          return Effect.runPromise(
            withKept(params.id, async (kept) => json({ run: await runs.reopen(kept, wish) }, 201)),
          )
        }),
      )
      .handleRaw('forget', ({ params }) =>
        withKept(params.id, async ({ id }, store) => json({ deleted: await store.delete(id) })),
      ),
  )
}

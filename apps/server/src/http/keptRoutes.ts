import * as Effect from 'effect/Effect'
import * as HttpRouter from 'effect/http/HttpRouter'
import type { HttpServerResponse } from 'effect/http/HttpServerResponse'
import * as Layer from 'effect/Layer'
import type { RunStore } from '../store/runStore.ts'
import { fault, json, jsonText } from './answers.ts'

/** Answers about the kept run of the id in the path. */
const withKept = (store: RunStore, answer: (id: number) => HttpServerResponse) =>
  Effect.gen(function* () {
    const { id = '' } = yield* HttpRouter.params
    const number = /^\d{1,15}$/.test(id) ? Number(id) : undefined
    if (number === undefined || store.find(number) === undefined) return fault(404, `There is no kept run ${id}.`)
    return answer(number)
  })

/** Runs that were kept: list, read, take away. */
export const keptRoutes = (store: RunStore) =>
  Layer.mergeAll(
    HttpRouter.add(
      'GET',
      '/api/kept',
      Effect.sync(() => json(store.list())),
    ),
    HttpRouter.add(
      'GET',
      '/api/kept/:id',
      withKept(store, (id) => jsonText(documentOf(store, id))),
    ),
    HttpRouter.add(
      'GET',
      '/api/kept/:id/frames',
      withKept(store, (id) => jsonText(`[${store.frames(id).join(',')}]`)),
    ),
    HttpRouter.add(
      'DELETE',
      '/api/kept/:id',
      withKept(store, (id) => json({ deleted: store.delete(id) })),
    ),
  )

/** Everything but the frames, put together from the JSON texts in the store. */
function documentOf(store: RunStore, id: number): string {
  const { scenarioDocument, log, summary, ...kept } = store.find(id)!
  return `{"kept":${JSON.stringify(kept)},"scenario":${scenarioDocument},"log":${log},"summary":${summary ?? 'null'}}`
}

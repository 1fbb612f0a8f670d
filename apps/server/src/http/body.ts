import * as ByteSize from 'effect/ByteSize'
import * as Effect from 'effect/Effect'
import * as HttpIncomingMessage from 'effect/http/HttpIncomingMessage'
import type * as HttpServerRequest from 'effect/http/HttpServerRequest'
import type { HttpServerResponse } from 'effect/http/HttpServerResponse'
import { type Answer, fault, promised } from './answers.ts'

/** Largest body of a request, bytes. */
export const LARGEST_BODY = 1024 * 1024

/** Answers from the body of a request. Whatever is wrong with it is the asker's: 400, or 413 when it is too large. */
export const withBody = (
  request: HttpServerRequest.HttpServerRequest,
  answer: (body: string) => Promise<HttpServerResponse>,
): Answer => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > LARGEST_BODY) return Effect.succeed(tooLarge)
  return request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(LARGEST_BODY)),
    Effect.matchEffect({
      onFailure: () => Effect.succeed(tooLarge),
      onSuccess: (body) => promised(400, () => answer(body)),
    }),
  )
}

const tooLarge = fault(413, `A body is at most ${LARGEST_BODY} bytes, or could not be read to its end.`)

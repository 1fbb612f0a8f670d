import * as ByteSize from 'effect/ByteSize'
import * as Effect from 'effect/Effect'
import * as HttpIncomingMessage from 'effect/http/HttpIncomingMessage'
import type * as HttpServerRequest from 'effect/http/HttpServerRequest'
import type { HttpServerResponse } from 'effect/http/HttpServerResponse'
import { type Answer, fault, promised } from './answers.ts'

/** Answers from the body of a request of at most `bytes`. Whatever is wrong with it is the asker's: 400, or 413 when it is too large. */
export const withBody = (
  bytes: number,
  request: HttpServerRequest.HttpServerRequest,
  answer: (body: string) => Promise<HttpServerResponse>,
): Answer => {
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > bytes) return Effect.succeed(tooLarge(bytes))
  return request.text.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(bytes)),
    Effect.matchEffect({
      onFailure: () => Effect.succeed(tooLarge(bytes)),
      onSuccess: (body) => promised(400, () => answer(body)),
    }),
  )
}

const tooLarge = (bytes: number) => fault(413, `A body is at most ${bytes} bytes; this one is larger, or broke off.`)

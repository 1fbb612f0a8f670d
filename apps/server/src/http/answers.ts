import * as Effect from 'effect/Effect'
import * as HttpServerResponse from 'effect/http/HttpServerResponse'

const JSON_TYPE = { contentType: 'application/json' }
const PROMETHEUS_TYPE = { contentType: 'text/plain; version=0.0.4; charset=utf-8' }

export type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** A value as JSON. */
export const json = (value: unknown, status = 200) =>
  HttpServerResponse.text(JSON.stringify(value), { ...JSON_TYPE, status })

/** Text that is JSON already. */
export const jsonText = (text: string) => HttpServerResponse.text(text, JSON_TYPE)

export const prometheus = (text: string) => HttpServerResponse.text(text, PROMETHEUS_TYPE)

/** A refusal with a sentence for the one who asked. */
export const fault = (status: number, message: string) => json({ error: message }, status)

/** The sentence of whatever was thrown. */
export const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The answer of a promise; a refusal of this status, with the reason, when it rejects. */
export const promised = (status: number, answer: () => Promise<HttpServerResponse.HttpServerResponse>): Answer =>
  Effect.tryPromise({ try: answer, catch: (cause) => cause }).pipe(
    Effect.catch((cause) => Effect.succeed(fault(status, sentence(cause)))),
  )

import type { RunRequest } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import * as ByteSize from 'effect/ByteSize'
import * as Effect from 'effect/Effect'
import * as HttpIncomingMessage from 'effect/http/HttpIncomingMessage'
import * as HttpRouter from 'effect/http/HttpRouter'
import * as HttpServerRequest from 'effect/http/HttpServerRequest'
import type * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as Layer from 'effect/Layer'
import type { Question } from '../run/runNews.ts'
import type { RunChannel } from '../stream/runChannel.ts'
import type { RunDirectory } from '../stream/runDirectory.ts'
import { fault, json, jsonText, prometheus } from './answers.ts'
import { readRunRequest } from './runRequest.ts'

const LARGEST_BODY = ByteSize.bytes(1024 * 1024)

/** Opens a run; resolves with its name. */
export type OpenRequested = (scenario: Scenario, request: RunRequest) => Promise<string>

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

function withRun(directory: RunDirectory, answer: (channel: RunChannel) => Answer) {
  return Effect.gen(function* () {
    const { run = '' } = yield* HttpRouter.params
    const channel = directory.get(run)
    if (channel !== undefined) return yield* answer(channel)
    const known = directory.entries().map((entry) => entry.run)
    return fault(404, `There is no run "${run}"; known: ${known.join(', ') || 'none'}.`)
  })
}

/** The answer of the run as it is: text already. */
const asked = (channel: RunChannel, about: Question): Answer =>
  Effect.tryPromise(() => channel.ask({ kind: 'question', about })).pipe(
    Effect.match({
      onSuccess: about === 'metrics' ? prometheus : jsonText,
      onFailure: (cause) => fault(503, sentence(cause.cause)),
    }),
  )

function describe(channel: RunChannel): string {
  const { entry, facts, frame } = channel
  return `{"run":${JSON.stringify(entry)},"scenario":${JSON.stringify(facts ?? null)},"frame":${frame ?? 'null'}}`
}

/** Reads the body, checks it, opens the run. Whatever is wrong with it is the asker's: 400 with the reason. */
const opened = (open: OpenRequested) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const body = yield* request.text
    const run = yield* Effect.tryPromise(async () => {
      const { request: asked, scenario } = readRunRequest(body)
      return open(scenario, asked)
    })
    return json({ run }, 201)
  }).pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, LARGEST_BODY),
    Effect.catch((cause) => Effect.succeed(fault(400, sentence('cause' in cause ? cause.cause : cause)))),
  )

const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** Runs that live: list, open, read, take away. */
export const runRoutes = (directory: RunDirectory, open: OpenRequested) =>
  Layer.mergeAll(
    HttpRouter.add(
      'GET',
      '/api/runs',
      Effect.sync(() => json(directory.entries())),
    ),
    HttpRouter.add('POST', '/api/runs', opened(open)),
    HttpRouter.add(
      'GET',
      '/api/runs/:run',
      withRun(directory, (channel) => Effect.sync(() => jsonText(describe(channel)))),
    ),
    HttpRouter.add(
      'DELETE',
      '/api/runs/:run',
      withRun(directory, (channel) =>
        Effect.promise(async () => json({ deleted: await directory.remove(channel.run) })),
      ),
    ),
    ...(['summary', 'log', 'metrics'] as const).map((about) =>
      HttpRouter.add(
        'GET',
        `/api/runs/:run/${about}`,
        withRun(directory, (channel) => asked(channel, about)),
      ),
    ),
  )

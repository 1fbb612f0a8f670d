import { type Ack, type ErrorMessage, readClientMessage } from '@windtunnel/protocol'
import { WindtunnelApi } from '@windtunnel/protocol/http/api'
import { Result } from 'effect'
import * as Effect from 'effect/Effect'
import type * as HttpServerResponse from 'effect/http/HttpServerResponse'
import * as HttpApiBuilder from 'effect/http-api/HttpApiBuilder'
import type { Question } from '../run/runNews.ts'
import { schemaSentence } from '../schemaSentence.ts'
import type { RunChannel } from '../stream/runChannel.ts'
import { type Answer, fault, json, jsonText, prometheus, promised, sentence } from './answers.ts'
import { withBody } from './body.ts'
import { BadRequest, readRunRequest } from './runRequest.ts'
import type { Told } from './told.ts'

/** Runs that live: list, open, read, take away. */
export const runHandlers = ({ directory, runs, bodyBytes }: Told) => {
  const withRun = (run: string, answer: (channel: RunChannel) => Answer): Answer => {
    const channel = directory.get(run)
    if (channel !== undefined) return answer(channel)
    const known = directory.entries().map((entry) => entry.run)
    return Effect.succeed(fault(404, `There is no run "${run}"; known: ${known.join(', ') || 'none'}.`))
  }
  const asked = (run: string, about: Question): Answer =>
    withRun(run, (channel) =>
      promised(503, async () => {
        const text = await channel.ask({ kind: 'question', about })
        return about === 'metrics' ? prometheus(text) : jsonText(text)
      }),
    )
  return HttpApiBuilder.group(WindtunnelApi, 'runs', (handlers) =>
    handlers
      .handleRaw('list', () => Effect.sync(() => json(directory.entries())))
      .handleRaw('open', ({ request }) =>
        withBody(bodyBytes, request, async (body) => {
          const { request: asked, scenario } = readRunRequest(body)
          return json({ run: await runs.openRequested(scenario, asked) }, 201)
        }),
      )
      .handleRaw('describe', ({ params }) =>
        withRun(params.run, (channel) => Effect.sync(() => jsonText(describe(channel)))),
      )
      .handleRaw('summary', ({ params }) => asked(params.run, 'summary'))
      .handleRaw('log', ({ params }) => asked(params.run, 'log'))
      .handleRaw('metrics', ({ params }) => asked(params.run, 'metrics'))
      .handleRaw('command', ({ params, request }) =>
        withRun(params.run, (channel) => withBody(bodyBytes, request, (body) => commanded(channel, body))),
      )
      .handleRaw('close', ({ params }) =>
        withRun(params.run, () => promised(503, async () => json({ deleted: await runs.remove(params.run) }))),
      ),
  )
}

/** Does what the body says. Rejects when it is no command for one run. */
async function commanded(channel: RunChannel, body: string): Promise<HttpServerResponse.HttpServerResponse> {
  const read = readClientMessage(body)
  if (Result.isFailure(read)) throw new BadRequest(schemaSentence(read.failure.message))
  const message = read.success
  if (message.type === 'watch' || (message.run !== undefined && message.run !== channel.run))
    throw new BadRequest(`Expected a command for the run ${channel.run}, which the address names.`)
  const text = await channel.ask({ kind: 'command', message }).catch((cause: unknown) => cause)
  if (typeof text !== 'string') return fault(503, sentence(text))
  const answer = JSON.parse(text) as Ack | ErrorMessage
  return answer.type === 'ack' ? jsonText(text) : fault(409, answer.message)
}

function describe(channel: RunChannel): string {
  const { entry, facts, frame } = channel
  return `{"run":${JSON.stringify(entry)},"scenario":${JSON.stringify(facts ?? null)},"frame":${frame ?? 'null'}}`
}

import type { ServerMessage } from '@windtunnel/protocol'
import * as Effect from 'effect/Effect'
import * as Stream from 'effect/Stream'
import { type ClientOptions, connect } from './client.ts'

/**
 * The messages of a live server as an Effect Stream: connects when it is run, mends the connection, and closes it when the
 * stream ends. A consumer that is slow loses the oldest frames and samples beyond 512 messages, never the end of a run.
 */
export const messageStream = (options: ClientOptions): Stream.Stream<ServerMessage> =>
  Stream.unwrap(
    Effect.acquireRelease(
      Effect.sync(() => connect(options)),
      (client) => Effect.sync(() => client.close()),
    ).pipe(Effect.map((client) => Stream.fromAsyncIterable(client.messages(), (cause) => cause).pipe(Stream.orDie))),
  )

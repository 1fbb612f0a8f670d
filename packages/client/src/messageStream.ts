import type { ServerMessage } from '@windtunnel/protocol'
import * as Effect from 'effect/Effect'
import * as Queue from 'effect/Queue'
import * as Stream from 'effect/Stream'
import { type ClientOptions, connect } from './client.ts'

const BUFFERED = 512

/**
 * The messages of a live server as an Effect Stream: connects when it is run, mends the connection, and closes it when the
 * stream ends. A consumer that is slow loses the oldest messages beyond 512.
 */
export const messageStream = (options: ClientOptions): Stream.Stream<ServerMessage> =>
  Stream.callback<ServerMessage>(
    (queue) =>
      Effect.acquireRelease(
        Effect.sync(() => {
          const client = connect(options)
          for (const type of ['hello', 'frame', 'event', 'requestSample', 'ended', 'ack', 'error'] as const)
            client.on(type, (message) => Queue.offerUnsafe(queue, message))
          return client
        }),
        (client) => Effect.sync(() => client.close()),
      ),
    { bufferSize: BUFFERED, strategy: 'sliding' },
  )

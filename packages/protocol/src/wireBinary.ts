import { decode, encode } from '@msgpack/msgpack'
import { type Result, Schema } from 'effect'
import { ServerMessage } from './serverMessage.ts'

/** A message of the server as MessagePack: the same names and values as in the JSON text, whole numbers as integers. */
export const packMessage = (message: unknown): Uint8Array<ArrayBuffer> => encode(message)

const read = Schema.decodeUnknownResult(ServerMessage, { onExcessProperty: 'ignore' })
const nothing = read(undefined)

/** Reads a message of a server that was asked for `encoding=binary`; lenient as the reader of texts is. */
export function readServerBinary(message: Uint8Array): Result.Result<ServerMessage, Schema.SchemaError> {
  try {
    return read(decode(message))
  } catch {
    return nothing
  }
}

import { type Result, Schema } from 'effect'
import { ClientMessage, COMMANDS } from './command.ts'
import { ServerMessage } from './serverMessage.ts'

const strict = { errors: 'all', onExcessProperty: 'error' } as const
const lenient = { onExcessProperty: 'ignore' } as const

/** Where no command fits, a sentence of those there are says more than the name of the schema. */
const told = ClientMessage.annotate({
  identifier: undefined,
  expected: `a command, an object whose type is one of ${Object.keys(COMMANDS).join(', ')}`,
})

/** Reads a message of a client; strict: an unknown field is an error, so that a typing mistake is not ignored. */
export const readClientMessage: (message: string) => Result.Result<ClientMessage, Schema.SchemaError> =
  Schema.decodeUnknownResult(Schema.fromJsonString(told), strict)

/** Reads a message of a server; lenient: fields of a later version are ignored. */
export const readServerMessage: (message: string) => Result.Result<ServerMessage, Schema.SchemaError> =
  Schema.decodeUnknownResult(Schema.fromJsonString(ServerMessage), lenient)

/** Messages hold plain JSON values only, so writing needs no schema. */
export const writeMessage = (message: ServerMessage | ClientMessage): string => JSON.stringify(message)

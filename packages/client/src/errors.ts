import type { ErrorMessage } from '@windtunnel/protocol'

/** The server did not accept a command; `code` says which kind of refusal, `message` why and what to do. */
export class CommandRefused extends Error {
  readonly _tag = 'CommandRefused'
  readonly code: ErrorMessage['code']

  constructor(refusal: ErrorMessage) {
    super(refusal.message)
    this.name = 'CommandRefused'
    this.code = refusal.code
  }
}

/** The connection was lost before the answer came: the command may or may not have taken effect. */
export class ConnectionLost extends Error {
  readonly _tag = 'ConnectionLost'

  constructor(reason: string) {
    super(reason)
    this.name = 'ConnectionLost'
  }
}

import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * Where runs are kept: WINDTUNNEL_STORE (a file, or `postgres://...`), or a file in the user's state folder as the XDG base
 * directories say.
 */
export function storeAddress(environment: Environment = process.env): string {
  const { WINDTUNNEL_STORE: chosen, XDG_STATE_HOME: state } = environment
  if (chosen !== undefined && chosen !== '') return chosen
  return join(
    state === undefined || state === '' ? join(homedir(), '.local', 'state') : state,
    'windtunnel',
    'runs.sqlite',
  )
}

/** The address without what must not be shown: the password of a database. */
export function shownAddress(address: string): string {
  return address.replace(/^(\w+:\/\/[^:@/]*):[^@]*@/, '$1:***@')
}

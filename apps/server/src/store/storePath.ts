import { homedir } from 'node:os'
import { join } from 'node:path'

type Environment = Readonly<Record<string, string | undefined>>

/** Where runs are kept: WINDTUNNEL_STORE, or the user's state folder as the XDG base directories say. */
export function storePath(environment: Environment = process.env): string {
  const { WINDTUNNEL_STORE: chosen, XDG_STATE_HOME: state } = environment
  if (chosen !== undefined && chosen !== '') return chosen
  return join(
    state === undefined || state === '' ? join(homedir(), '.local', 'state') : state,
    'windtunnel',
    'runs.sqlite',
  )
}

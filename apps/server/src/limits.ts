/** What a server takes at most. */
export interface Limits {
  /** Runs that live at once. */
  readonly runs: number
  /** Connections to the stream. */
  readonly viewers: number
  /** Longest message of a viewer in bytes; a longer one closes the connection with code 1009. */
  readonly messageBytes: number
  /** Largest body of an HTTP request in bytes; a larger one is refused with 413. */
  readonly bodyBytes: number
}

export const DEFAULT_LIMITS: Limits = { runs: 16, viewers: 2000, messageBytes: 64 * 1024, bodyBytes: 1024 * 1024 }

/** The variable of the environment that sets each limit. */
export const LIMIT_VARIABLES: Readonly<Record<keyof Limits, string>> = {
  runs: 'WINDTUNNEL_MOST_RUNS',
  viewers: 'WINDTUNNEL_MOST_VIEWERS',
  messageBytes: 'WINDTUNNEL_MESSAGE_BYTES',
  bodyBytes: 'WINDTUNNEL_BODY_BYTES',
}

/** The limits that the environment sets. Throws with the name of the variable that holds no whole number from 1. */
export function limitsOf(environment: Readonly<Record<string, string | undefined>>): Partial<Limits> {
  const limits: Partial<Record<keyof Limits, number>> = {}
  for (const name of Object.keys(LIMIT_VARIABLES) as (keyof Limits)[]) {
    const text = environment[LIMIT_VARIABLES[name]]
    if (text === undefined || text === '') continue
    if (!/^[1-9]\d{0,9}$/.test(text))
      throw new Error(`${LIMIT_VARIABLES[name]} is a whole number from 1; found "${text}".`)
    limits[name] = Number(text)
  }
  return limits
}

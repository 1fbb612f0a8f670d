export const LEVELS = ['debug', 'info', 'warn', 'error', 'none'] as const
export type Level = (typeof LEVELS)[number]

/** What a line is about. Absent fields are left out. */
export interface About {
  /** Name of the run. */
  readonly run?: string
  /** Number of the connection. */
  readonly viewer?: number
  readonly [field: string]: string | number | boolean | undefined
}

/** Writes one line of the log. */
export type Log = (level: Exclude<Level, 'none'>, message: string, about?: About) => void

export const silent: Log = () => undefined

/** A log of JSON lines: `time` (ISO 8601), `level`, `message`, then what the line is about. Lines below `least` are left out. */
export function jsonLines(least: Level, write: (line: string) => void): Log {
  return (level, message, about = {}) => {
    if (LEVELS.indexOf(level) < LEVELS.indexOf(least)) return
    write(`${JSON.stringify({ time: new Date().toISOString(), level, message, ...about })}\n`)
  }
}

/** Writes every line to each of several logs. */
export const both =
  (...logs: readonly Log[]): Log =>
  (level, message, about) => {
    for (const log of logs) log(level, message, about)
  }

/**
 * Lines below this level are left out: WINDTUNNEL_LOG, or only warnings where a person watches a terminal, or `info`. Throws
 * when the environment names no level.
 */
export function leastLevel(environment: Readonly<Record<string, string | undefined>>, isTerminal: boolean): Level {
  const { WINDTUNNEL_LOG: wished } = environment
  if (wished === undefined || wished === '') return isTerminal ? 'warn' : 'info'
  const level = LEVELS.find((one) => one === wished)
  if (level === undefined) throw new Error(`WINDTUNNEL_LOG is one of ${LEVELS.join(', ')}; found "${wished}".`)
  return level
}

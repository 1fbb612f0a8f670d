import { parseScenarioText } from '@windtunnel/scenario/document/parse'

export interface TraceToPlay {
  name: string
  /** Whether its rows say when they arrive. */
  timed: boolean
  /** Whether its rows are in the order of their times. */
  inOrder: boolean
}

/** Requests per second of a trace without times. */
const assumedRate = 5

/**
 * A scenario, as JSON, whose fleet serves a trace instead of its own traffic, until the trace is used up. Throws a
 * ScenarioError when the text is no YAML or JSON.
 */
export const tracedScenario = (text: string, { name, timed, inOrder }: TraceToPlay): string => {
  const value = parseScenarioText(text).value as Record<string, unknown> | null
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new Error('Your scenario says nothing of a fleet: mend it in the Scenario view, or choose a preset.')
  const { durationSeconds: _, ...run } = (value['run'] ?? {}) as Record<string, unknown>
  const trace = {
    file: name,
    onBadRow: 'skip',
    zeroTokens: 'skip',
    sort: timed && !inOrder,
    ...(timed ? {} : { arrivals: { name: 'poisson', requestsPerSecond: assumedRate } }),
  }
  return JSON.stringify({ ...value, name: `${String(value['name'] ?? 'fleet')} on ${name}`, traffic: { trace }, run })
}

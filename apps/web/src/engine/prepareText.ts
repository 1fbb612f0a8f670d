import type { ScenarioFacts } from '@windtunnel/protocol'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import type { PrepareRun } from '@windtunnel/server/run/preparedRun'
import { prepareScenario } from '@windtunnel/server/run/scenarioRun'
import type { DroppedTrace } from '../traces/dropped.ts'
import { piecesOf } from '../traces/pieces.ts'

const rateHeadroom = 4
const samplesPerSecond = 2

/** The facts with the rate of the trace, which the scenario does not know before it has read all of it. */
const withRate = (facts: ScenarioFacts, rate: number | undefined): ScenarioFacts =>
  rate === undefined
    ? facts
    : {
        ...facts,
        arrivalRate: rate,
        maxArrivalRate: rateHeadroom * rate,
        sampledOneIn: Math.max(1, Math.round(rate / samplesPerSecond)),
      }

/**
 * Makes the text of a scenario, and the trace that it names, ready for a live run. Throws a ScenarioError or a BuildError
 * with a sentence for the user.
 */
export const prepareText = (text: string, trace?: DroppedTrace): PrepareRun => {
  const openFiles = async () => (trace === undefined ? {} : { trace: piecesOf(trace.file) })
  const prepare = prepareScenario(readScenario(text), openFiles)
  return async (seed) => {
    const prepared = await prepare(seed)
    // A source of rows must hold some before time begins.
    await prepared.fill?.()
    return { ...prepared, facts: withRate(prepared.facts, trace?.requestsPerSecond) }
  }
}

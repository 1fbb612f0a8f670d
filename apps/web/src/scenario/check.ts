import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { pathText } from '@windtunnel/scenario/document/path'
import { ScenarioError } from '@windtunnel/scenario/document/problem'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { whole } from '../format/quantity.ts'

/** One thing wrong with a scenario text. */
export interface Fault {
  line: number | undefined
  where: string
  message: string
}

export type Checked = { ok: true; facts: string[]; warnings: readonly string[] } | { ok: false; faults: Fault[] }

/** Reads, checks and builds a scenario without running it: what it is, or everything that is wrong with it. */
export const checkScenarioText = (text: string): Checked => {
  try {
    const scenario = readScenario(text)
    // Replicas of a pool are alike: one of each says whether they can be, at once and however many there are.
    const run = buildRun({ ...scenario, fleet: scenario.fleet.map((pool) => ({ ...pool, replicas: 1 })) })
    const facts = run.pools.map(
      ({ pool, accelerator, acceleratorsPerReplica, capacity }, at) =>
        `${pool.name}: ${whole(scenario.fleet[at]?.replicas ?? pool.replicas)} × ${acceleratorsPerReplica} ${accelerator.title}, KV for ${whole(capacity.blocks * capacity.blockTokens)} tokens a replica`,
    )
    return { ok: true, facts: [run.architecture.title, ...facts], warnings: run.warnings }
  } catch (error) {
    if (error instanceof ScenarioError)
      return {
        ok: false,
        faults: error.problems.map((problem) => ({
          line: problem.line,
          where: pathText(problem.path),
          message: problem.message,
        })),
      }
    return {
      ok: false,
      faults: [{ line: undefined, where: '', message: error instanceof Error ? error.message : String(error) }],
    }
  }
}

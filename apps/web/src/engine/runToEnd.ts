import { compareTime, timeFromSeconds } from '@windtunnel/des'
import { RunRecorder } from '@windtunnel/metrics/summary/runRecorder'
import { TransferWindow } from '@windtunnel/metrics/window/transferWindow'
import { WindowObserver } from '@windtunnel/metrics/window/windowObserver'
import type { Frame, RunSummary } from '@windtunnel/protocol'
import { runBatch, runBatchFrom } from '@windtunnel/scenario/drivers/batch'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { readOverride } from '@windtunnel/scenario/overrides/override'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { buildFrame, type FrameSources } from '@windtunnel/server/run/frameBuilder'
import { ReplicaNames } from '@windtunnel/server/run/replicaNames'
import { prepareScenario } from '@windtunnel/server/run/scenarioRun'
import { readLog } from './readLog.ts'

/** Rates and percentiles of a frame cover at least so much virtual time, as in a live run. */
const shortestWindowSeconds = 10

export interface RunWish {
  /** Text of a scenario file, YAML or JSON. */
  scenario: string
  seed?: number | undefined
  /** Lines of the form path=value, laid over the scenario. */
  overrides?: readonly string[] | undefined
  /** How many frames to take on the way, evenly over the duration; needs a scenario with one. */
  frames?: number | undefined
  /** Log of an earlier run, JSON: its seed, and its commands, which are applied again at their times. */
  log?: string | undefined
}

export interface RunOutcome {
  summary: RunSummary
  frames: Frame[]
}

/**
 * Runs a scenario to its end as fast as it goes; the same figures and facts hash as on any other platform, whether frames
 * are taken or not. Throws a ScenarioError or a BuildError with a sentence for the user.
 */
export const runToEnd = async (wish: RunWish): Promise<RunOutcome> => {
  const scenario = readScenario(
    wish.scenario,
    'scenario',
    (wish.overrides ?? []).map((text) => readOverride(text)),
  )
  const { seed, replay } = wish.log === undefined ? { seed: wish.seed, replay: [] } : readLog(wish.log)
  const prepared = await prepareScenario(scenario)(seed)
  const { simulation, objectives, durationSeconds, knownUntil, fill, facts } = prepared
  const window = new WindowObserver({ objectives })
  const transfers = new TransferWindow(window.fleet.longestSeconds)
  const wanted = durationSeconds !== undefined && knownUntil === undefined ? wish.frames : undefined
  const recordings = wanted !== undefined ? [window, transfers] : []
  const recorder = new RunRecorder({ objectives, recordings }).attach(simulation)
  const replayUntil = portions(replay)
  const started = performance.now()
  const frames: Frame[] = []
  if (durationSeconds !== undefined && wanted !== undefined) {
    const sources: FrameSources = { prepared, recorder, window, transfers, names: new ReplicaNames() }
    const step = durationSeconds / wanted
    for (let index = 1; index < wanted; index += 1) {
      runBatch(simulation, { durationSeconds: index * step, replay: replayUntil(index * step) })
      frames.push(frameAt(sources, index, Math.max(shortestWindowSeconds, Math.min(step, window.fleet.longestSeconds))))
    }
  }
  const options = { replay: replayUntil(undefined), ...(durationSeconds === undefined ? {} : { durationSeconds }) }
  if (knownUntil === undefined || fill === undefined) runBatch(simulation, options)
  else await runBatchFrom(simulation, { knownUntil, fill }, options)
  const summary = recorder.document(simulation, {
    scenario: facts.name,
    seed: facts.seed,
    cost: { backend: facts.backend, extrapolated: prepared.extrapolated },
    warnings: facts.warnings,
    simulatorSeconds: (performance.now() - started) / 1000,
  })
  return { summary, frames }
}

/** Gives the commands of a log in portions: those up to a virtual time in seconds, or all, that were not given before. */
const portions = (replay: readonly LoggedCommand[]): ((seconds: number | undefined) => LoggedCommand[]) => {
  let given = 0
  return (seconds) => {
    const from = given
    const until = seconds === undefined ? undefined : timeFromSeconds(seconds)
    while (given < replay.length && (until === undefined || compareTime(replay[given]!.time, until) <= 0)) given += 1
    return replay.slice(from, given)
  }
}

const frameAt = (sources: FrameSources, seq: number, windowSeconds: number): Frame => {
  const { facts } = sources.prepared
  return buildFrame(sources, {
    run: facts.name,
    seq,
    wall: 0,
    state: 'running',
    speed: 'max',
    achievedSpeed: 0,
    windowSeconds,
    rate: facts.arrivalRate,
    router: facts.router,
    scheduler: facts.pools[0]?.scheduler ?? '',
  })
}

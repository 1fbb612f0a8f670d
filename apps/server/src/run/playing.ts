import {
  DetailsObserver,
  RunRecorder,
  SampleCollector,
  TransferWindow,
  VllmMetrics,
  WindowObserver,
} from '@windtunnel/metrics'
import type { Command } from '@windtunnel/orchestrator'
import type { RunState, Speed } from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { PacedDriver } from '@windtunnel/scenario/drivers/paced'
import type { FrameSources } from './frameBuilder.ts'
import { Incidents } from './incidents.ts'
import type { PreparedRun } from './preparedRun.ts'
import { ReplicaNames } from './replicaNames.ts'

/** Request samples told with one frame at most; at high speed the latest of many. */
const SAMPLES_A_FRAME = 4

/** Everything that a reset replaces. */
export interface Playing extends FrameSources {
  driver: PacedDriver
  samples: SampleCollector
  vllm: VllmMetrics
  /** Absent where nothing is known of what replicas are made of. */
  details: DetailsObserver | undefined
  incidents: Incidents
  state: RunState
  speed: Speed
  rate: number | undefined
  rateCounts: 'requests' | 'sessions'
  router: string
  scheduler: string
  wall: number
  simulatorSeconds: number
}

/** Commands of an earlier run to apply again. */
export interface Replay {
  readonly commands: readonly LoggedCommand[]
  readonly onReplayed: (command: Command) => void
}

/** A run at its beginning, with everything that watches it attached. */
export function assemble(prepared: PreparedRun, speed: Speed, clock: () => number, replay: Replay): Playing {
  const { simulation, facts, objectives, durationSeconds, knownUntil } = prepared
  const window = new WindowObserver({ objectives })
  const transfers = new TransferWindow(window.fleet.longestSeconds)
  const samples = new SampleCollector(facts.sampledOneIn, SAMPLES_A_FRAME)
  const vllm = new VllmMetrics()
  const details = prepared.details === undefined ? undefined : new DetailsObserver(prepared.details)
  const recorder = new RunRecorder({
    objectives,
    recordings: [window, transfers, vllm, ...(details === undefined ? [] : [details])],
    readers: [samples],
    ...(prepared.window === undefined ? {} : { window: prepared.window }),
  }).attach(simulation)
  const driver = new PacedDriver(simulation, {
    clock,
    speed: speed === 'max' ? Number.POSITIVE_INFINITY : speed,
    sliceEvents: 2_000,
    replay: replay.commands,
    onReplayed: replay.onReplayed,
    ...(durationSeconds === undefined ? {} : { durationSeconds }),
    ...(knownUntil === undefined ? {} : { knownUntil }),
  })
  return {
    prepared,
    recorder,
    window,
    transfers,
    samples,
    vllm,
    details,
    driver,
    names: new ReplicaNames(),
    incidents: new Incidents(objectives),
    state: 'ready',
    speed,
    rate: facts.arrivalRate,
    rateCounts: facts.rateCounts ?? 'requests',
    router: facts.router,
    scheduler: facts.pools[0]?.scheduler ?? '',
    wall: 0,
    simulatorSeconds: 0,
  }
}

/** Why a run without a fault is over at virtual time `time`. */
export function endReason({ prepared }: Playing, time: number): string {
  const { durationSeconds } = prepared
  if (durationSeconds !== undefined && time >= durationSeconds)
    return `The duration of ${durationSeconds} s is reached.`
  return 'The traffic is used up and every request has ended.'
}

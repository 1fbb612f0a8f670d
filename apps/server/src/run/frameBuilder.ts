import type { RunRecorder, TransferWindow, WindowObserver, WindowSlot } from '@windtunnel/metrics'
import type { ReplicaView, SimulationView } from '@windtunnel/orchestrator'
import type { Frame, ReplicaFrame, RunState, Speed, WindowPercentiles } from '@windtunnel/protocol'
import { bottleneckOf } from './bottleneck.ts'
import { linkFrames } from './linkFrames.ts'
import { classFrames, objectiveFrames } from './objectiveFrames.ts'
import { percentiles } from './percentiles.ts'
import type { PreparedRun } from './preparedRun.ts'
import type { ReplicaNames } from './replicaNames.ts'
import { stepFrame } from './stepFrame.ts'

/** What a frame says of the playing of the run, as against the fleet. */
export interface Playing {
  run: string
  seq: number
  wall: number
  state: RunState
  speed: Speed
  achievedSpeed: number
  windowSeconds: number
  rate: number | undefined
  router: string
  scheduler: string
}

export interface FrameSources {
  prepared: PreparedRun
  recorder: RunRecorder
  window: WindowObserver
  transfers: TransferWindow
  names: ReplicaNames
}

/** One frame of the run as it stands. */
export function buildFrame(sources: FrameSources, playing: Playing): Frame {
  const { prepared, recorder, window, names } = sources
  const view = prepared.simulation.view()
  const { merged, seconds } = window.fleet.over(playing.windowSeconds, view.time)
  const perSecond = seconds > 0 ? 1 / seconds : 0
  const outputTokensPerSecond = merged.outputTokens * perSecond
  const mix = prepared.mix?.()
  const step = stepFrame(prepared, view.replicas)
  const frame: Frame = {
    type: 'frame',
    run: playing.run,
    seq: playing.seq,
    time: view.time,
    wall: playing.wall,
    state: playing.state,
    speed: playing.speed,
    achievedSpeed: playing.achievedSpeed,
    window: seconds,
    requests: recorder.summary.totals(),
    arrivalRate: merged.arrived * perSecond,
    requestsPerSecond: merged.completed * perSecond,
    inputTokensPerSecond: merged.inputTokens * perSecond,
    outputTokensPerSecond,
    goodput: merged.good * perSecond,
    ...percentileFields(merged),
    ...fleetSums(view),
    preemptionsPerSecond: merged.preemptions * perSecond,
    ...(merged.queriedTokens > 0 ? { prefixHitRate: merged.cachedTokens / merged.queriedTokens } : {}),
    ...money(prepared, view, outputTokensPerSecond),
    ...(playing.rate === undefined ? {} : { rate: playing.rate }),
    ...(mix === undefined ? {} : { mix }),
    router: playing.router,
    scheduler: playing.scheduler,
    objectives: objectiveFrames(prepared.objectives, window, merged, playing.windowSeconds, view.time),
    classes: classFrames(prepared.objectives, window, playing.windowSeconds, view.time),
    replicas: view.replicas.map((replica) => replicaFrame(replica, names)),
    links: linkFrames(sources, seconds, view),
    ...(step === undefined ? {} : { step }),
  }
  const bottleneck = bottleneckOf(frame)
  return bottleneck === undefined ? frame : { ...frame, bottleneck }
}

function percentileFields(slot: WindowSlot): Partial<Pick<Frame, 'ttft' | 'itl' | 'tpot' | 'e2e' | 'queue'>> {
  const fields: Partial<Record<'ttft' | 'itl' | 'tpot' | 'e2e' | 'queue', WindowPercentiles>> = {}
  for (const metric of ['ttft', 'itl', 'tpot', 'e2e', 'queue'] as const) {
    const found = percentiles(slot[metric])
    if (found !== undefined) fields[metric] = found
  }
  return fields
}

function fleetSums(view: SimulationView): Pick<Frame, 'waiting' | 'transferring' | 'running' | 'batch' | 'kvUse'> {
  let waiting = 0
  let transferring = 0
  let running = 0
  let usedBlocks = 0
  let totalBlocks = 0
  let generators = 0
  let generating = 0
  for (const replica of view.replicas) {
    transferring += replica.transferring
    waiting += replica.waiting
    running += replica.running
    if (replica.state === 'down') continue
    usedBlocks += replica.usedBlocks
    totalBlocks += replica.totalBlocks
    if (replica.role === 'prefill' || replica.state === 'starting') continue
    generators += 1
    generating += replica.running
  }
  return {
    waiting,
    transferring,
    running,
    batch: generators > 0 ? generating / generators : 0,
    kvUse: totalBlocks > 0 ? usedBlocks / totalBlocks : 0,
  }
}

/** Cost per million output tokens and tokens per accelerator, over the replicas that are paid for now. */
function money(
  prepared: PreparedRun,
  view: SimulationView,
  tokensPerSecond: number,
): Partial<Pick<Frame, 'costPerMillionTokens' | 'outputTokensPerSecondPerAccelerator'>> {
  let dollarsPerHour = 0
  let accelerators = 0
  let priced = true
  for (const replica of view.replicas) {
    if (replica.state === 'down') continue
    const pool = prepared.pools.get(replica.pool)
    if (pool?.dollarsPerReplicaHour === undefined) priced = false
    else dollarsPerHour += pool.dollarsPerReplicaHour
    accelerators += pool?.acceleratorsPerReplica ?? 0
  }
  return {
    ...(priced && tokensPerSecond > 0 ? { costPerMillionTokens: (dollarsPerHour / 3600 / tokensPerSecond) * 1e6 } : {}),
    ...(accelerators > 0 ? { outputTokensPerSecondPerAccelerator: tokensPerSecond / accelerators } : {}),
  }
}

function replicaFrame(view: ReplicaView, names: ReplicaNames): ReplicaFrame {
  return {
    replica: view.replica,
    name: names.nameOf(view),
    pool: view.pool,
    role: view.role,
    state: view.state,
    running: view.running,
    waiting: view.waiting,
    transferring: view.transferring,
    kvUse: view.totalBlocks > 0 ? view.usedBlocks / view.totalBlocks : 0,
    contextTokens: view.contextTokens,
  }
}

import { type Time, ticksFromSeconds } from '@windtunnel/des'
import type { Engine } from '../engines/index.ts'
import type { LoadTree } from '../routers/loadTree.ts'
import type { ReplicaState, ReplicaView } from '../simulation.ts'
import type { PoolConfig } from './simulationConfig.ts'

/** One replica of the fleet: its engine, its front end, and what routers count. */
export class Replica {
  readonly index: number
  readonly pool: PoolConfig
  engine: Engine
  state: ReplicaState
  /** Its number among the candidates of its stage, and the loads of all of them, once a router has asked for some. */
  candidate = 0
  requestLoads: LoadTree | undefined
  tokenLoads: LoadTree | undefined
  /** Requests routed here and not ended, and tokens that they may still need. */
  outstandingRequests = 0
  outstandingTokens = 0
  /** Requests whose KV is on its way here or waits for room. */
  transferring = 0
  /** Computed prompts whose KV it still holds for a generate replica. */
  sending = 0
  /** Requests that wait for room here, in order. */
  readonly incoming: number[] = []
  /** When the front end's tokeniser is free, and the fixed part of the way through the front end. */
  readonly frontEndFree: Time = { seconds: 0, ticks: 0 }
  readonly frontEndTicks: number
  /** When its engine takes requests, after a start-up or an outage. */
  readonly backAt: Time = { seconds: 0, ticks: 0 }
  /** When it came, at the start or by a command, and when it was down for good; virtual seconds. */
  addedAt = 0
  downAt: number | undefined
  /** Of the engines that it lost in outages. */
  private earlierSteps = 0
  private earlierPeak = 0

  constructor(index: number, pool: PoolConfig, engine: Engine, state: ReplicaState) {
    this.index = index
    this.pool = pool
    this.frontEndTicks = ticksFromSeconds(pool.frontEnd.latencySeconds)
    this.engine = engine
    this.state = state
  }

  /** Counts requests that come or go, and the tokens that they may still need. */
  load(requests: number, tokens: number): void {
    this.outstandingRequests += requests
    this.outstandingTokens += tokens
    this.requestLoads?.set(this.candidate, this.outstandingRequests)
    this.tokenLoads?.set(this.candidate, this.outstandingTokens)
  }

  get takesRequests(): boolean {
    return this.state === 'up'
  }

  /** Goes on with an empty engine. */
  renew(engine: Engine): void {
    this.earlierSteps += this.engine.stepsDone
    this.earlierPeak = Math.max(this.earlierPeak, this.engine.peakUsedBlocks)
    this.engine = engine
  }

  /** A dead replica holds nothing: what its engine held is lost. */
  view(now: Time): ReplicaView {
    const { engine } = this
    const alive = this.state !== 'down'
    if (alive) engine.report(now)
    return {
      replica: this.index,
      pool: this.pool.name,
      role: this.pool.role,
      state: this.state,
      running: alive ? engine.running : 0,
      waiting: alive ? engine.waiting : 0,
      transferring: this.transferring,
      contextTokens: alive ? engine.contextTokensAt(now) : 0,
      usedBlocks: alive ? engine.usedBlocks : 0,
      peakUsedBlocks: Math.max(this.earlierPeak, engine.peakUsedBlocks),
      totalBlocks: engine.totalBlocks,
      stepsDone: this.earlierSteps + engine.stepsDone,
      addedAt: this.addedAt,
      ...(this.downAt === undefined ? {} : { downAt: this.downAt }),
    }
  }
}

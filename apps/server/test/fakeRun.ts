import { compareTime, copyTime, setSeconds, type Time, toSeconds, zeroTime } from '@windtunnel/des'
import type { Command, Observer, ReplicaState, Simulation, SimulationView } from '@windtunnel/orchestrator'
import type { OpenHost } from '../src/run/liveRuns.ts'
import { openLocalHost } from '../src/run/localHost.ts'
import type { PreparedRun, PrepareRun } from '../src/run/preparedRun.ts'

const TICKS_PER_SECOND = 2 ** 44
const TTFT = 0.125
const GAP = 1 / 64
const TOKENS = 17

/** Events fall on whole ticks, as the contract asks. */
const onGrid = (seconds: number): number => Math.round(seconds * TICKS_PER_SECOND) / TICKS_PER_SECOND

interface Due {
  at: number
  request: number
  what: 'firstToken' | 'end'
}

/**
 * The simplest thing that keeps the contract of a simulation: requests arrive evenly, get their first token after 0.125 s
 * and then 16 tokens 1/64 s apart, whatever the load.
 */
export class FakeSimulation implements Simulation {
  readonly #observers: Observer[] = []
  readonly #now = zeroTime()
  #due: Due[] = []
  #rate: number
  #nextArrival = 0
  #arrived = 0
  #completed = 0
  readonly #most: number
  readonly replicas: { pool: string; state: ReplicaState }[] = [
    { pool: 'main', state: 'up' },
    { pool: 'main', state: 'up' },
  ]

  constructor(rate: number, seed: number, most = Number.POSITIVE_INFINITY) {
    this.#rate = rate
    this.#nextArrival = onGrid((seed % 100) / 1000)
    this.#most = most
  }

  now(): Time {
    return this.#now
  }

  nextEventAt(into: Time): boolean {
    const at = this.#nextAt()
    if (at === Number.POSITIVE_INFINITY) return false
    setSeconds(into, at)
    return true
  }

  runUntil(until: Time, maxEvents: number): number {
    const limit = toSeconds(until)
    let handled = 0
    while (handled < maxEvents && this.#nextAt() <= limit) {
      setSeconds(this.#now, this.#nextAt())
      this.#handleOne()
      handled += 1
    }
    if (handled < maxEvents && compareTime(this.#now, until) < 0) copyTime(this.#now, until)
    return handled
  }

  apply(command: Command): void {
    if (command.kind === 'rate') this.#rate = command.requestsPerSecond
    if (command.kind === 'router' && command.name === 'nonsense')
      throw new Error('There is no router "nonsense"; known: leastLoaded, roundRobin.')
    if (command.kind === 'addReplica') this.replicas.push({ pool: command.pool, state: 'up' })
    if (command.kind === 'killReplica') this.replicas[command.replica]!.state = 'down'
  }

  view(): SimulationView {
    return {
      time: toSeconds(this.#now),
      arrived: this.#arrived,
      completed: this.#completed,
      rejected: 0,
      failed: 0,
      cancelled: 0,
      timedOut: 0,
      replicas: this.replicas.map(({ pool, state }, replica) => ({
        replica,
        pool,
        role: 'both',
        state,
        running: replica === 0 ? this.#due.length : 0,
        waiting: 0,
        transferring: 0,
        usedBlocks: replica === 0 ? this.#due.length : 0,
        totalBlocks: 1000,
        contextTokens: replica === 0 ? this.#due.length * 100 : 0,
        stepsDone: 0,
      })),
    }
  }

  observe(observer: Observer): void {
    this.#observers.push(observer)
  }

  #nextAt(): number {
    const arrival = this.#arrived < this.#most ? this.#nextArrival : Number.POSITIVE_INFINITY
    return Math.min(arrival, this.#due[0]?.at ?? Number.POSITIVE_INFINITY)
  }

  #handleOne(): void {
    const time = this.#nextAt()
    const first = this.#due[0]
    if (first !== undefined && first.at === time) {
      this.#due.shift()
      if (first.what === 'firstToken') this.#firstToken(first.request, time)
      else {
        this.#completed += 1
        this.#tell((o) => o.ended(first.request, time, 'completed', TOKENS, ''))
      }
      return
    }
    const request = this.#arrived++
    this.#nextArrival = onGrid(time + 1 / this.#rate)
    this.#tell((o) => {
      o.arrived(request, time, 100, TOKENS, 0, 0)
      o.routed(request, time, 0)
      o.admitted(request, time, 0, 20, 100, 0)
    })
    this.#schedule({ at: time + TTFT, request, what: 'firstToken' })
  }

  #firstToken(request: number, time: number): void {
    this.#tell((o) => {
      o.firstToken(request, time)
      o.decodeRun(0, time, TOKENS - 1, 1, GAP * TICKS_PER_SECOND, 0)
    })
    this.#schedule({ at: time + (TOKENS - 1) * GAP, request, what: 'end' })
  }

  #schedule(due: Due): void {
    this.#due.push(due)
    this.#due.sort((a, b) => a.at - b.at || a.request - b.request)
  }

  #tell(say: (observer: Observer) => void): void {
    for (const observer of this.#observers) say(observer)
  }
}

export interface FakeOptions {
  rate?: number
  durationSeconds?: number
  most?: number
  ttftLimit?: number
}

/** A prepared run over the fake simulation, seed 42 unless another is asked for. */
export const prepareFake =
  (options: FakeOptions = {}): PrepareRun =>
  async (seed = 42): Promise<PreparedRun> => {
    const { rate = 20, durationSeconds, most, ttftLimit } = options
    return {
      simulation: new FakeSimulation(rate, seed, most),
      facts: {
        name: 'fake',
        seed,
        model: 'none',
        pools: [
          {
            name: 'main',
            role: 'both',
            replicas: 2,
            engine: 'vllm',
            scheduler: 'fcfs',
            accelerator: 'h100',
            acceleratorsPerReplica: 1,
            layout: 'TP1',
          },
        ],
        objectives: [],
        backend: 'none',
        arrivalRate: rate,
        rateSteerable: true,
        router: 'roundRobin',
        routers: ['leastLoaded', 'roundRobin'],
        schedulers: ['fcfs'],
        speeds: [1, 10, 100, 'max'],
        sampledOneIn: 10,
        warnings: [],
        ...(durationSeconds === undefined ? {} : { durationSeconds }),
      },
      objectives: [{ serviceClass: 'chat', ...(ttftLimit === undefined ? {} : { ttft: ttftLimit }) }],
      pools: new Map([['main', { dollarsPerReplicaHour: 3.6, acceleratorsPerReplica: 1 }]]),
      extrapolated: false,
      ...(durationSeconds === undefined ? {} : { durationSeconds }),
    }
  }

/** Plays the fake in the thread of the test, started at once. */
export const hostFake =
  (speed: number, options: FakeOptions = {}): OpenHost =>
  (run, tell) =>
    openLocalHost({ run, tell, prepare: prepareFake(options), speed, autostart: true })

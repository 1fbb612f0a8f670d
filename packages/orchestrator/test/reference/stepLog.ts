import type { StepCost } from '@windtunnel/cost'
import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { emptyDraft, type RequestDraft } from '@windtunnel/workload'
import {
  createSimulation,
  type Engine,
  type EngineContext,
  routers,
  SilentObserver,
  schedulers,
} from '../../src/index.ts'
import { listed } from './randomTraffic.ts'

/** One request: prompt and output tokens; `max` is the client's limit where the model ends earlier. */
export interface Asked {
  input: number
  output: number
  at?: number
  max?: number
  priority?: number
  cancelAfter?: number
  timeout?: number
  /** Text shared with others, from the start of the prompt: names with their tokens. */
  text?: readonly (readonly [name: number, tokens: number])[]
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'
const nameOf = (request: number): string => LETTERS[request] ?? String(request)

/** What a replica did, step by step. Requests are called A, B, C ... in order of arrival. */
export class StepLog extends SilentObserver {
  /** By second at which a step begins: the chunks in it, as `A6`. */
  readonly chunks = new Map<number, string[]>()
  /** By second at which a step begins: how many sequences decode. */
  readonly decodes = new Map<number, number>()
  readonly admissions: string[] = []
  readonly preemptions: string[] = []
  readonly firstAt: Record<string, number> = {}
  readonly ends: string[] = []
  readonly reasons: string[] = []
  readonly gaps: number[] = []

  override prefillChunk(request: number, time: number, _replica: number, tokens: number): void {
    this.chunks.set(time, [...(this.chunks.get(time) ?? []), `${nameOf(request)}${tokens}`])
  }

  override stepped(_replica: number, start: number, end: number, steps: number, sequences: number): void {
    const each = (end - start) / steps
    for (let j = 0; j < steps; j++) this.decodes.set(start + j * each, sequences)
  }

  override admitted(request: number, time: number, _replica: number, cached: number, queried: number, times: number) {
    this.admissions.push(`${time}: ${nameOf(request)} ${cached}/${queried}${times > 0 ? ` again` : ''}`)
  }

  override preempted(request: number, time: number, _replica: number, computed: number): void {
    this.preemptions.push(`${time}: ${nameOf(request)} ${computed}`)
  }

  override firstToken(request: number, time: number): void {
    if (this.firstAt[nameOf(request)] !== undefined) throw new Error(`two first tokens of ${nameOf(request)}`)
    this.firstAt[nameOf(request)] = time
  }

  override tokenGap(_request: number, _time: number, gapTicks: number): void {
    this.gaps.push(gapTicks / 2 ** 44)
  }

  override decodeRun(_replica: number, _time: number, steps: number, sequences: number, first: number, growth: number) {
    for (let j = 0; j < steps; j++) for (let i = 0; i < sequences; i++) this.gaps.push((first + j * growth) / 2 ** 44)
  }

  override ended(request: number, time: number, ending: string, outputTokens: number, reason: string): void {
    this.ends.push(`${time}: ${nameOf(request)} ${ending} ${outputTokens}`)
    if (reason !== '') this.reasons.push(reason)
  }

  /** Steps in order, as `2 + A6 B2`: decoding sequences and chunks. */
  get steps(): string[] {
    const starts = [...this.decodes.keys()].sort((a, b) => a - b)
    return starts.map((at) => [`${this.decodes.get(at)} +`, ...(this.chunks.get(at) ?? [])].join(' '))
  }
}

/** Every step takes one second, whatever is in it. */
export const oneSecond: StepCost = {
  backend: 'one second',
  extrapolations: [],
  seconds: () => 1,
  decodePiece(_sequences, _contextTokens, into) {
    into.baseSeconds = 1
    into.slopeSeconds = 0
    into.windowSlopeSeconds = 0
    into.validUntilContextTokens = Number.POSITIVE_INFINITY
    return into
  },
  breakdown: () => ({ weights: 0, kv: 0, compute: 1, collectives: 0, host: 0 }),
}

/** One replica of an engine whose steps take one second, with these requests. */
export function oneReplica(
  asked: readonly Asked[],
  createEngine: (context: EngineContext) => Engine,
  scheduler = 'fcfs',
) {
  const drafts: RequestDraft[] = asked.map((one, tag) => {
    const draft = emptyDraft()
    setSeconds(draft.arrival, one.at ?? 0)
    draft.inputTokens = one.input
    draft.outputTokens = one.output
    draft.maxTokens = one.max ?? one.output
    draft.priority = one.priority ?? 0
    draft.cancelAfterSeconds = one.cancelAfter ?? Number.POSITIVE_INFINITY
    draft.timeoutSeconds = one.timeout ?? Number.POSITIVE_INFINITY
    draft.tag = tag
    return draft
  })
  const source = listed(drafts)
  for (const [at, { text = [] }] of asked.entries())
    for (const [name, tokens] of text) drafts[at]!.prompt = source.tree.child(drafts[at]!.prompt, name, tokens)
  const log = new StepLog()
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 1,
        createEngine,
        scheduler: schedulers.get(scheduler)!,
        cost: oneSecond,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source,
    router: routers.get('round-robin')!,
    seed: 1,
  })
  simulation.observe(log)
  const runTo = (seconds: number): void => void simulation.runUntil(timeFromSeconds(seconds), 1_000_000)
  /** KV blocks in use half-way through each of the first `steps` steps of one second. */
  const usedIn = (steps: number): number[] =>
    Array.from({ length: steps }, (_, step) => {
      runTo(step + 0.5)
      return simulation.view().replicas[0]!.usedBlocks
    })
  return { log, simulation, runTo, usedIn }
}

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

/** One request of a timeline; `tag` counts from 0 in the order of the list. */
export interface Line {
  at: number
  input: number
  output: number
  maxTokens?: number
  cancelAfter?: number
  /** Text shared with others, from the start of the prompt: names with their tokens. */
  text?: readonly (readonly [name: number, tokens: number])[]
}

const draftOf = (line: Line, tag: number): RequestDraft => {
  const draft = emptyDraft()
  setSeconds(draft.arrival, line.at)
  draft.inputTokens = line.input
  draft.outputTokens = line.output
  draft.maxTokens = line.maxTokens ?? line.output
  draft.cancelAfterSeconds = line.cancelAfter ?? Number.POSITIVE_INFINITY
  draft.tag = tag
  return draft
}

/** What happened to each request, in seconds, and the gaps and steps of the replica in the order in which they were told. */
export class Timeline extends SilentObserver {
  readonly admittedAt: number[] = []
  /** Prompt tokens found in the prefix cache, of those looked up. */
  readonly hits: string[] = []
  readonly firstAt: number[] = []
  readonly endedAt: number[] = []
  readonly endings: string[] = []
  readonly transfers: [number, number, number][] = []
  readonly gaps: [number, number][] = []
  readonly decodeSteps: [number, number][] = []
  readonly prefills: [number, number, number][] = []
  #transferStart: number[] = []

  override admitted(request: number, time: number, _replica: number, cached: number, queried: number): void {
    this.admittedAt[request] = time
    this.hits[request] = `${cached}/${queried}`
  }

  override firstToken(request: number, time: number): void {
    this.firstAt[request] = time
  }

  override ended(request: number, time: number, ending: string, outputTokens: number): void {
    this.endedAt[request] = time
    this.endings[request] = `${ending} ${outputTokens}`
  }

  override transferStarted(request: number, time: number): void {
    this.#transferStart[request] = time
  }

  override transferred(request: number, time: number): void {
    this.transfers.push([request, this.#transferStart[request]!, time])
  }

  override tokenGap(_request: number, _time: number, gapTicks: number): void {
    this.gaps.push([gapTicks / 2 ** 44, 1])
  }

  override decodeRun(_replica: number, _time: number, steps: number, sequences: number, first: number, growth: number) {
    for (let j = 0; j < steps; j++) this.gaps.push([(first + j * growth) / 2 ** 44, sequences])
  }

  /** Steps as [start, end] with every row that costs; prefills as [start, end, tokens]. */
  override stepped(
    _replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
  ): void {
    if (prefillTokens > 0) return void this.prefills.push([start, end, prefillTokens])
    for (let j = 0; j < steps; j++) this.decodeSteps.push([start + (j * (end - start)) / steps, sequences])
  }

  /** How many tokens came after a gap of so many seconds. */
  gapCounts(): Record<string, number> {
    const counts: Record<string, number> = {}
    for (const [gap, sequences] of this.gaps) counts[gap] = (counts[gap] ?? 0) + sequences
    return counts
  }
}

/** A decode step of `decodeSeconds` whatever the batch, and prompts at `secondsPerPromptToken`. */
export const plainCost = (decodeSeconds: number, secondsPerPromptToken: number): StepCost => ({
  backend: 'plain',
  extrapolations: [],
  seconds(batch) {
    let tokens = 0
    for (let i = 0; i < batch.chunkCount; i++) tokens += batch.chunkTokens[i]!
    return secondsPerPromptToken * tokens + (batch.decodeSequences > 0 ? decodeSeconds : 0)
  },
  decodePiece(_sequences, _contextTokens, into) {
    into.baseSeconds = decodeSeconds
    into.slopeSeconds = 0
    into.windowSlopeSeconds = 0
    into.validUntilContextTokens = Number.POSITIVE_INFINITY
    return into
  },
  breakdown: () => ({ weights: 0, kv: 0, compute: decodeSeconds, collectives: 0, host: 0 }),
})

/** One replica of an engine and its timeline. */
export function start(lines: readonly Line[], cost: StepCost, createEngine: (context: EngineContext) => Engine) {
  const timeline = new Timeline()
  const drafts = lines.map(draftOf)
  const source = listed(drafts)
  for (const [at, { text = [] }] of lines.entries())
    for (const [name, tokens] of text) drafts[at]!.prompt = source.tree.child(drafts[at]!.prompt, name, tokens)
  let engine: Engine | undefined
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 1,
        createEngine: (context) => {
          engine = createEngine(context)
          return engine
        },
        scheduler: schedulers.get('fcfs')!,
        cost,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source,
    router: routers.get('round-robin')!,
    seed: 1,
  })
  simulation.observe(timeline)
  return {
    timeline,
    engine: engine!,
    simulation,
    runTo: (seconds: number): void => void simulation.runUntil(timeFromSeconds(seconds), 100_000),
  }
}

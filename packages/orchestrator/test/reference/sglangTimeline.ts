import type { StepCost } from '@windtunnel/cost'
import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { createPromptTree, emptyDraft, type PromptTree, type RequestDraft } from '@windtunnel/workload'
import { createSimulation, routers, type SglangOptions, SilentObserver, schedulers, sglang } from '../../src/index.ts'
import { listed } from './randomTraffic.ts'

/** One request of a timeline: its prompt is the text `shared` (runs of [content, tokens]) and `own` tokens of its own. */
export interface SglangLine {
  at: number
  shared?: readonly (readonly [number, number])[]
  own?: number
  output: number
  maxTokens?: number
}

/** A prompt token takes 1/8 s, a decode step 1 s, a mixed step the sum. */
const cost: StepCost = {
  backend: 'plain',
  extrapolations: [],
  seconds(batch) {
    let tokens = 0
    for (let i = 0; i < batch.chunkCount; i++) tokens += batch.chunkTokens[i]!
    return tokens / 8 + (batch.decodeSequences > 0 ? 1 : 0)
  },
  decodePiece(_sequences, _contextTokens, into) {
    into.baseSeconds = 1
    into.slopeSeconds = 0
    into.windowSlopeSeconds = 0
    into.validUntilContextTokens = Number.POSITIVE_INFINITY
    return into
  },
  breakdown: () => ({ weights: 0, kv: 0, compute: 1, collectives: 0, host: 0 }),
}

const seconds = (ticks: number): number => ticks / 2 ** 44

/** Facts as short sentences. Requests are numbered in order of arrival. */
class Log extends SilentObserver {
  readonly admissions: string[] = []
  readonly chunks: string[] = []
  readonly steps: string[] = []
  readonly gaps: string[] = []
  readonly endings: string[] = []
  readonly preemptions: string[] = []
  readonly firstAt: number[] = []

  override admitted(
    request: number,
    time: number,
    _replica: number,
    cached: number,
    known: number,
    preemptions: number,
  ): void {
    this.admissions.push(`${time}: ${request} ${cached}/${known}${preemptions > 0 ? ` pass ${preemptions + 1}` : ''}`)
  }

  override prefillChunk(request: number, time: number, _replica: number, tokens: number, context: number): void {
    this.chunks.push(`${time}: ${request} ${tokens}@${context}`)
  }

  override firstToken(request: number, time: number): void {
    this.firstAt[request] = time
  }

  override decodeRun(_replica: number, time: number, steps: number, sequences: number, first: number): void {
    this.gaps.push(`${time}: ${steps} x ${sequences} x ${seconds(first)}`)
  }

  override tokenGap(request: number, time: number, gapTicks: number): void {
    this.gaps.push(`${time}: ${request} ${seconds(gapTicks)}`)
  }

  override preempted(request: number, time: number, _replica: number, computed: number): void {
    this.preemptions.push(`${time}: ${request} ${computed}`)
  }

  override ended(request: number, time: number, ending: string, outputTokens: number, reason: string): void {
    this.endings.push(`${time}: ${request} ${ending} ${outputTokens}${reason === '' ? '' : ` (${reason})`}`)
  }

  override stepped(
    _replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
  ): void {
    this.steps.push(`${start}-${end}: ${steps} x ${sequences} + ${prefillTokens}`)
  }
}

export const plainSglang: SglangOptions = {
  chunkedPrefillTokens: 0,
  maxPrefillTokens: 10_000,
  mixedChunk: false,
  policy: 'fcfs',
  conservativeness: 1,
  overlap: false,
  retractDecodeSteps: 20,
  keepRetractedText: false,
  reservedDecodeTokens: 0,
  maxSequences: 256,
  blockSize: 1,
  totalBlocks: 100_000,
  maxModelLength: 100_000,
  prefixCache: true,
}

function draftOf(line: SglangLine, tag: number, tree: PromptTree): RequestDraft {
  const draft = emptyDraft()
  setSeconds(draft.arrival, line.at)
  for (const [content, tokens] of line.shared ?? []) draft.prompt = tree.child(draft.prompt, content, tokens)
  draft.inputTokens = tree.depthOf(draft.prompt) + (line.own ?? 0)
  draft.outputTokens = line.output
  draft.maxTokens = line.maxTokens ?? line.output
  draft.tag = tag
  return draft
}

/** One SGLang replica that serves `lines`; `runTo` and then look at the log, or at the pages in use. */
export function startSglang(lines: readonly SglangLine[], options: Partial<SglangOptions>) {
  const tree = createPromptTree()
  const log = new Log()
  const all = { ...plainSglang, ...options }
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 1,
        createEngine: (context) => sglang.create(context, all),
        scheduler: schedulers.get('fcfs')!,
        cost,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source: { ...listed(lines.map((line, tag) => draftOf(line, tag, tree))), tree },
    router: routers.get('round-robin')!,
    seed: 1,
  })
  simulation.observe(log)
  const runTo = (time: number): void => void simulation.runUntil(timeFromSeconds(time), 100_000)
  return {
    log,
    runTo,
    /** Pages that requests hold at `time`. */
    usedAt(time: number): number {
      runTo(time)
      return simulation.view().replicas[0]!.usedBlocks
    },
  }
}

/** The log of a whole run. */
export function runSglang(lines: readonly SglangLine[], options: Partial<SglangOptions> = {}): Log {
  const { log, runTo } = startSglang(lines, options)
  runTo(1e6)
  return log
}

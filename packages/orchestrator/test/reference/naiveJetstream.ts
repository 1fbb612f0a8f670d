import type { StepCost } from '@windtunnel/cost'
import { emptyBatch } from '@windtunnel/cost/step/stepCost'
import type { JetstreamOptions } from '../../src/index.ts'
import type { NaiveEngine, NaiveEvent, NaiveRequest, NaiveSurroundings } from './naiveFleet.ts'
import { NaivePrefixes } from './naivePrefixes.ts'
import { decodeTicks, stepTicks } from './referenceDuration.ts'
import { seconds } from './referenceTime.ts'

type Result =
  | { kind: 'first'; request: NaiveRequest }
  | { kind: 'insert'; request: NaiveRequest }
  | { kind: 'step'; rows: readonly NaiveRequest[] }

interface Prefill {
  request: NaiveRequest | undefined
  doing: 'nothing' | 'wanting' | 'computing' | 'saving' | 'computed' | 'told'
  chunk: number
  /** Time to load from the host what the prefix cache has. */
  loading: bigint
  end: bigint
}

interface Transfer {
  queue: NaiveRequest[]
  request: NaiveRequest | undefined
  target: number
  end: bigint | undefined
}

interface Generate {
  queue: NaiveRequest[]
  /** Requests in slots, in order of insertion. */
  slots: NaiveRequest[]
  inserting: NaiveRequest | undefined
  doing: 'choosing' | 'waiting' | 'wantingInsert' | 'inserting' | 'wantingStep' | 'stepping' | 'handing'
  end: bigint
  handing: Result | undefined
  lookAgain: bigint | undefined
}

interface Detokenise {
  queue: Result[]
  current: Result | undefined
  end: bigint
  live: NaiveRequest[]
}

interface Progress {
  /** KV entries after the prompt and the steps made for it. */
  context: number
  /** Steps made, and steps whose token its client has. */
  made: number
  read: number
  firstRead: boolean
  /** Out of its slot; it waits for its first token. */
  closed: boolean
  /** When things happened to it, in ticks. */
  at: Partial<Record<Moment, bigint>>
}

type Moment = 'came' | 'taken' | 'computed' | 'first' | 'copying' | 'copied' | 'inserting'

const ticks = (duration: number): bigint => BigInt(Math.round(duration * 2 ** 44))

/** A JetStream server, one step and one token at a time, every thread looked at again and again. */
export class NaiveJetstream implements NaiveEngine {
  readonly prefixes: NaivePrefixes | undefined
  /** How often each thing happened, so that a test knows that its scenarios mean something. */
  readonly seen = { blockedPrefill: 0, blockedTransfer: 0, blockedGenerate: 0, wasted: 0, lateFirst: 0, stalled: 0 }
  readonly backlog: NaiveRequest[] = []
  readonly prefill: Prefill[] = []
  readonly transfer: Transfer[] = []
  readonly generate: Generate[] = []
  readonly detokenise: Detokenise[] = []
  /** Per device: who uses it and who stands in line. */
  #users: (object | undefined)[] = []
  #lines: object[][] = []
  #progress = new Map<NaiveRequest, Progress>()
  #dueAt: bigint | undefined
  #o: JetstreamOptions
  #interleaved: boolean
  #cost: StepCost
  #windowTokens: number | undefined
  #around: NaiveSurroundings

  constructor(
    options: JetstreamOptions,
    interleaved: boolean,
    cost: StepCost,
    windowTokens: number | undefined,
    around: NaiveSurroundings,
  ) {
    this.#windowTokens = windowTokens
    this.#o = options
    this.#interleaved = interleaved
    this.#cost = cost
    this.#around = around
    const { prefixTrie, chunkTokens, maxPrefillLength, strict } = options
    if (prefixTrie !== undefined)
      this.prefixes = new NaivePrefixes(around.tree, prefixTrie, chunkTokens, maxPrefillLength, strict)
    for (let i = 0; i < options.prefillEngines; i++) {
      this.prefill.push({ request: undefined, doing: 'nothing', chunk: 0, loading: 0n, end: 0n })
      this.transfer.push({ queue: [], request: undefined, target: 0, end: undefined })
    }
    for (let i = 0; i < options.generateEngines; i++) {
      this.generate.push({
        queue: [],
        slots: [],
        inserting: undefined,
        doing: 'choosing',
        end: 0n,
        handing: undefined,
        lookAgain: undefined,
      })
      this.detokenise.push({ queue: [], current: undefined, end: 0n, live: [] })
    }
    for (let i = 0; i < options.prefillEngines + options.generateEngines; i++) this.#lines.push([])
  }

  refuses(request: NaiveRequest): boolean {
    const { strict, maxPrefillLength, maxModelLength, prefillBacklog } = this.#o
    if (!strict && request.input > maxPrefillLength) return true
    if (Math.min(request.input, maxPrefillLength) + request.maxTokens > maxModelLength) return true
    return prefillBacklog > 0 && this.backlog.length >= prefillBacklog
  }

  events(): NaiveEvent[] {
    const events: NaiveEvent[] = []
    for (const time of this.#ends()) events.push({ time, order: 0, run: () => this.#endAll() })
    if (this.#dueAt !== undefined) events.push({ time: this.#dueAt, order: 4, run: () => this.#settle() })
    for (const { doing, lookAgain } of this.generate)
      if (doing === 'waiting' && lookAgain !== undefined)
        events.push({ time: lookAgain, order: 4, run: () => this.#settle() })
    return events
  }

  enqueue(request: NaiveRequest, now: bigint): void {
    this.#progress.set(request, { context: 0, made: 0, read: 0, firstRead: false, closed: false, at: { came: now } })
    this.backlog.push(request)
    this.#dueAt = now
  }

  abandon(request: NaiveRequest, now: bigint): void {
    this.#dueAt = now
    this.#left.push(request)
    if (request.phase !== 'waiting') return
    this.backlog.splice(this.backlog.indexOf(request), 1)
    this.#around.finished(request)
  }
  /** Requests in the order in which their clients left. */
  #left: NaiveRequest[] = []

  /** What the server's metrics page adds up, one by one. */
  readonly observed: Record<string, number[]> = {}

  // ---- work that ends ----------------------------------------------------------------------------------------------

  #ends(): bigint[] {
    return [
      ...this.prefill.filter(({ doing }) => doing === 'computing' || doing === 'saving').map(({ end }) => end),
      ...this.transfer.flatMap(({ end }) => (end === undefined ? [] : [end])),
      ...this.generate.filter(({ doing }) => doing === 'inserting' || doing === 'stepping').map(({ end }) => end),
      ...this.detokenise.filter(({ current }) => current !== undefined).map(({ end }) => end),
    ]
  }

  #endAll(): void {
    const now = this.#around.now()
    for (const thread of this.prefill) {
      if (thread.doing === 'computing' && thread.end === now) this.#endPrefill(thread)
      else if (thread.doing === 'saving' && thread.end === now) this.#computed(thread)
    }
    for (const thread of this.transfer) if (thread.end === now) this.#endTransfer(thread)
    for (const thread of this.generate) {
      if (thread.doing === 'inserting' && thread.end === now) this.#endInsert(thread)
      else if (thread.doing === 'stepping' && thread.end === now) this.#endStep(thread)
    }
    for (const thread of this.detokenise) {
      const { current } = thread
      if (current === undefined || thread.end !== now) continue
      thread.current = undefined
      this.#read(thread, current)
    }
    for (let moved = true; moved; ) {
      moved = false
      for (const [i, thread] of this.prefill.entries())
        if (thread.doing === 'computed' && !thread.request!.clientLeft) moved = this.#turnPrefill(thread, i) || moved
      for (const [i, thread] of this.generate.entries())
        if (thread.doing === 'handing') moved = this.#turnGenerate(thread, i) || moved
      for (const thread of this.detokenise) while (this.#turnDetokenise(thread)) moved = true
    }
    this.#dueAt = now
  }

  #endPrefill(thread: Prefill): void {
    thread.chunk += 1
    if (thread.chunk < this.#passes(thread.request!).length && !thread.request!.clientLeft) {
      thread.doing = 'wanting'
      return
    }
    const request = thread.request!
    const passes = this.#passes(request)
    if (thread.chunk === passes.length && this.#caches(request)) {
      const bytes = passes.length * passes[0]! * this.#o.kvBytesPerToken
      const copied = this.prefixes!.save(request, bytes)
      const copying = copied ? ticks(bytes / this.#o.prefixTrie!.copyBytesPerSecond) : 0n
      if (copying > 0n) {
        thread.doing = 'saving'
        thread.end = this.#around.now() + copying
        return
      }
    }
    this.#computed(thread)
  }

  #computed(thread: Prefill): void {
    this.#giveUp(thread)
    this.#mark(thread.request!, 'computed')
    thread.doing = 'computed'
  }

  #caches(request: NaiveRequest): boolean {
    return this.prefixes !== undefined && this.#kept(request) >= this.#o.chunkTokens
  }

  #mark(request: NaiveRequest, moment: Moment): void {
    this.#progress.get(request)!.at[moment] = this.#around.now()
  }

  /** Seconds from one moment to the other, as the server's clock shows them. */
  #between(request: NaiveRequest, from: Moment, to?: Moment): number {
    const { at } = this.#progress.get(request)!
    return seconds(to === undefined ? this.#around.now() : at[to]!) - seconds(at[from]!)
  }

  #observe(name: string, value: number): void {
    this.observed[name] = [...(this.observed[name] ?? []), value]
  }

  #endTransfer(thread: Transfer): void {
    thread.end = undefined
    this.#mark(thread.request!, 'copied')
    const { observer, replica } = this.#around
    if (!thread.request!.clientLeft)
      observer.transferred(thread.request!.id, seconds(this.#around.now()), replica, replica)
  }

  #endInsert(thread: Generate): void {
    this.#giveUp(thread)
    const request = thread.inserting!
    this.#progress.get(request)!.context = this.#kept(request)
    thread.slots.push(request)
    thread.inserting = undefined
    thread.handing = { kind: 'insert', request }
    thread.doing = 'handing'
  }

  #endStep(thread: Generate): void {
    this.#giveUp(thread)
    const rows = [...thread.slots]
    for (const request of rows) {
      const progress = this.#progress.get(request)!
      progress.context += 1
      progress.made += 1
      if (progress.made > this.#stepsOf(request)) this.seen.wasted += 1
    }
    if (!this.#o.strict) thread.slots = thread.slots.filter((one) => this.#progress.get(one)!.made < this.#stepsOf(one))
    thread.handing = { kind: 'step', rows }
    thread.doing = 'handing'
  }

  /** Decode steps until its last token; one that ended with its first token is decoded once all the same. */
  #stepsOf(request: NaiveRequest): number {
    return Math.max(1, request.output - 1)
  }

  // ---- threads in turn ---------------------------------------------------------------------------------------------

  #settle(): void {
    this.#dueAt = undefined
    for (let moved = true; moved; ) {
      moved = false
      for (const [i, thread] of this.prefill.entries()) while (this.#turnPrefill(thread, i)) moved = true
      for (const thread of this.transfer) while (this.#turnTransfer(thread)) moved = true
      for (const [i, thread] of this.generate.entries()) while (this.#turnGenerate(thread, i)) moved = true
      for (const thread of this.detokenise) while (this.#turnDetokenise(thread)) moved = true
    }
    this.#checkQueues()
  }

  #turnPrefill(thread: Prefill, index: number): boolean {
    const now = this.#around.now()
    const { observer, replica } = this.#around
    const { request } = thread
    if (thread.doing === 'nothing') {
      const next = this.backlog.shift()
      if (next === undefined) return false
      const found = this.#caches(next) ? this.prefixes!.load(next) : { tokens: 0, bytes: 0 }
      const chunk = found.tokens === 0 ? 0 : found.tokens / this.#o.chunkTokens
      const loading = found.bytes === 0 ? 0n : ticks(found.bytes / this.#o.prefixTrie!.hostBytesPerSecond)
      Object.assign(thread, { request: next, doing: 'wanting', chunk, loading })
      next.phase = 'running'
      this.#mark(next, 'taken')
      observer.admitted(next.id, seconds(now), replica, found.tokens, this.#kept(next), 0)
      return true
    }
    if (thread.doing === 'wanting') {
      if (!this.#mayUse(thread, index)) return false
      const passes = this.#passes(request!)
      const padded = passes[thread.chunk]!
      const before = thread.chunk * padded
      observer.prefillChunk(request!.id, seconds(now), replica, Math.min(padded, this.#kept(request!) - before), before)
      const batch = emptyBatch()
      batch.chunkCount = 1
      batch.chunkTokens = [padded]
      batch.chunkContext = [before]
      batch.chunkSamples = thread.chunk + 1 === passes.length ? 1 : 0
      thread.end = now + stepTicks(this.#cost.seconds(batch)) + thread.loading
      thread.loading = 0n
      thread.doing = 'computing'
      return true
    }
    if (thread.doing === 'computing' || thread.doing === 'saving') return false
    if (request!.clientLeft) {
      this.#around.finished(request!)
      thread.doing = 'nothing'
      return true
    }
    if (thread.doing === 'computed') {
      const reader = this.detokenise[index % this.detokenise.length]!
      if (reader.queue.length === this.#o.detokeniseBacklog) return this.#note('blockedPrefill')
      reader.queue.push({ kind: 'first', request: request! })
      this.#observe('jetstream_request_input_length', this.#kept(request!))
      const took = this.#between(request!, 'taken', 'computed')
      this.#observe('jetstream_time_per_prefill_token', took / this.#kept(request!))
      const done = request!.output === 1 && !this.#o.strict
      this.#progress.get(request!)!.closed = done
      thread.doing = done ? 'nothing' : 'told'
      return true
    }
    if (this.transfer[index]!.queue.length === this.#o.transferBacklog) return this.#note('blockedPrefill')
    this.transfer[index]!.queue.push(request!)
    thread.doing = 'nothing'
    return true
  }

  #turnTransfer(thread: Transfer): boolean {
    if (thread.end !== undefined) return false
    const { observer, replica } = this.#around
    const now = this.#around.now()
    if (thread.request === undefined) {
      const next = thread.queue.shift()
      if (next === undefined) return false
      if (next.clientLeft) {
        this.#around.finished(next)
        return true
      }
      thread.request = next
      this.#mark(next, 'copying')
      this.#mark(next, 'copied')
      thread.target = this.#target()
      if (this.#interleaved) return true
      const bytes = this.#passes(next).reduce((a, b) => a + b, 0) * this.#o.kvBytesPerToken
      observer.transferStarted(next.id, seconds(now), replica, replica, bytes)
      thread.end = now + ticks(this.#o.transferLatencySeconds + bytes / this.#o.transferBytesPerSecond)
      if (thread.end === now) this.#endTransfer(thread)
      return true
    }
    const { queue } = this.generate[thread.target]!
    if (thread.request.clientLeft) this.#around.finished(thread.request)
    else if (this.#o.generateBacklog > 0 && queue.length === this.#o.generateBacklog)
      return this.#note('blockedTransfer')
    else queue.push(thread.request)
    thread.request = undefined
    return true
  }

  #target(): number {
    const score = ({ queue }: Generate, index: number): number[] => {
      const free = this.#free(this.generate[index]!)
      return this.#o.target === 'mostFreeSlots' ? [-free, queue.length, index] : [queue.length, index]
    }
    const scores = this.generate.map(score)
    const order = scores.map((_, index) => index)
    order.sort((a, b) => {
      const at = scores[a]!.findIndex((value, i) => value !== scores[b]![i])
      return at < 0 ? 0 : scores[a]![at]! - scores[b]![at]!
    })
    return order[0]!
  }

  #free(thread: Generate): number {
    return this.#o.maxSequences - thread.slots.length - (thread.inserting === undefined ? 0 : 1)
  }

  #mustWait(thread: Generate): boolean {
    if (thread.slots.length === 0) return true
    return this.#interleaved && (this.backlog.length > 0 || this.transfer.some(({ queue }) => queue.length > 0))
  }

  #turnGenerate(thread: Generate, index: number): boolean {
    const now = this.#around.now()
    const device = this.#interleaved ? index : this.#o.prefillEngines + index
    switch (thread.doing) {
      case 'handing':
        if (this.detokenise[index]!.queue.length === this.#o.detokeniseBacklog) return this.#note('blockedGenerate')
        this.detokenise[index]!.queue.push(thread.handing!)
        thread.doing = 'choosing'
        return true
      case 'waiting': {
        const due = thread.lookAgain !== undefined && thread.lookAgain <= now
        const looks = thread.queue.length > 0 || !this.#o.strict || due
        if (!looks) return false
        if (thread.queue.length === 0 && this.#mustWait(thread)) {
          if (due) thread.lookAgain = thread.slots.length > 0 ? now + ticks(1) : undefined
          return false
        }
        thread.doing = 'choosing'
        return true
      }
      case 'choosing': {
        const free = this.#free(thread) > 0
        if (free && thread.queue.length > 0) {
          const request = thread.queue.shift()!
          if (request.clientLeft) this.#around.finished(request)
          else {
            this.#mark(request, 'inserting')
            const waits =
              this.#between(request, 'came', 'taken') +
              this.#between(request, 'computed', 'copying') +
              this.#between(request, 'copied', 'inserting')
            this.#observe('jetstream_queue_duration', waits)
            thread.inserting = request
            thread.doing = 'wantingInsert'
          }
        } else if (free && this.#mustWait(thread)) {
          thread.doing = 'waiting'
          thread.lookAgain = this.#o.strict && thread.slots.length > 0 ? now + ticks(1) : undefined
          if (thread.lookAgain !== undefined) this.seen.stalled += 1
        } else thread.doing = 'wantingStep'
        return true
      }
      case 'wantingInsert': {
        if (!this.#mayUse(thread, device)) return false
        const bytes = this.#passes(thread.inserting!).reduce((a, b) => a + b, 0) * this.#o.kvBytesPerToken
        thread.end = now + ticks(bytes / this.#o.insertBytesPerSecond)
        thread.doing = 'inserting'
        if (thread.end === now) this.#endInsert(thread)
        return true
      }
      case 'wantingStep':
        if (!this.#mayUse(thread, device)) return false
        thread.end = now + this.#stepTime(thread)
        thread.doing = 'stepping'
        return true
      default:
        return false
    }
  }

  #stepTime({ slots }: Generate): bigint {
    const { slotCost, maxSequences, maxModelLength } = this.#o
    const contexts = slots.map((request) => this.#progress.get(request)!.context + 1)
    if (slotCost !== 'live') while (contexts.length < maxSequences) contexts.push(1)
    if (slotCost === 'full') contexts.fill(maxModelLength)
    return decodeTicks(this.#cost, contexts, this.#windowTokens)
  }

  #turnDetokenise(thread: Detokenise): boolean {
    if (thread.current !== undefined) return false
    const result = thread.queue.shift()
    if (result === undefined) return false
    const { detokeniseSecondsPerStep: fixed, detokeniseSecondsPerSequence: each } = this.#o
    const sequences = result.kind === 'first' ? 1 : thread.live.length
    const duration = result.kind === 'insert' ? 0n : ticks(fixed + each * sequences)
    if (duration === 0n) this.#read(thread, result)
    else {
      thread.current = result
      thread.end = this.#around.now() + duration
    }
    return true
  }

  // ---- tokens ------------------------------------------------------------------------------------------------------

  #read(thread: Detokenise, result: Result): void {
    if (result.kind === 'first') return this.#readFirst(result.request)
    const generate = this.generate[this.detokenise.indexOf(thread)]!
    if (result.kind === 'insert') {
      if (result.request.clientLeft) this.#close(generate, result.request)
      else thread.live.push(result.request)
      return
    }
    const done: NaiveRequest[] = []
    for (const request of thread.live) {
      const progress = this.#progress.get(request)!
      progress.read += 1
      if (request.output > 1) this.#token(request)
      if (progress.read === this.#stepsOf(request)) done.push(request)
    }
    done.push(...this.#left.filter((one) => thread.live.includes(one) && !done.includes(one)))
    for (const request of done) {
      thread.live.splice(thread.live.indexOf(request), 1)
      this.#close(generate, request)
    }
  }

  #readFirst(request: NaiveRequest): void {
    if (request.phase === 'gone') return
    const progress = this.#progress.get(request)!
    progress.firstRead = true
    this.#mark(request, 'first')
    const since = this.#o.strict ? 'taken' : 'came'
    if (!request.clientLeft) this.#observe('jetstream_time_to_first_token', this.#between(request, since))
    if (request.emitted > 0) this.seen.lateFirst += 1
    this.#token(request)
    if (progress.closed) this.#complete(request)
  }

  #complete(request: NaiveRequest): void {
    if (!request.clientLeft) {
      const { output } = request
      const { strict } = this.#o
      this.#observe('jetstream_request_output_length', output)
      if (strict) this.#observe('jetstream_time_per_output_token', this.#between(request, 'computed') / output)
      else if (output > 1)
        this.#observe('jetstream_time_per_output_token', this.#between(request, 'first') / (output - 1))
      this.#observe('jetstream_time_per_request', this.#between(request, strict ? 'computed' : 'came'))
      const generate = strict || output > 1 ? this.#between(request, 'inserting') : 0
      const wait = this.#between(request, 'came') - this.#between(request, 'taken', 'computed') - generate
      this.#observe('jetstream_wait_time_per_request', wait)
    }
    this.#around.finished(request)
  }

  /** The client gets one more token, whichever it is. */
  #token(request: NaiveRequest): void {
    const now = this.#around.now()
    if (!request.clientLeft) {
      if (request.emitted === 0) this.#around.observer.firstToken(request.id, seconds(now))
      else this.#around.observer.tokenGap(request.id, seconds(now), Number(now - request.lastToken))
      request.emitted += 1
    }
    request.lastToken = now
  }

  #close(generate: Generate, request: NaiveRequest): void {
    generate.slots = generate.slots.filter((one) => one !== request)
    if (this.#progress.get(request)!.firstRead || request.clientLeft) this.#complete(request)
    else this.#progress.get(request)!.closed = true
  }

  // ---- small things ------------------------------------------------------------------------------------------------

  #kept(request: NaiveRequest): number {
    return Math.min(request.input, this.#o.maxPrefillLength)
  }

  /** Padded tokens of every pass over a prompt. */
  #passes(request: NaiveRequest): number[] {
    const { chunkTokens, buckets, maxPrefillLength } = this.#o
    const kept = this.#kept(request)
    if (chunkTokens > 0 && kept >= chunkTokens) {
      const passes: number[] = []
      for (let done = 0; done < kept; done += chunkTokens) passes.push(chunkTokens)
      return passes
    }
    return [Math.min(...[...buckets, maxPrefillLength].filter((one) => one >= kept && one <= maxPrefillLength))]
  }

  #mayUse(user: object, device: number): boolean {
    const line = this.#lines[device]!
    if (this.#users[device] === user) return true
    if (!line.includes(user)) line.push(user)
    if (this.#users[device] !== undefined || line[0] !== user) return false
    line.shift()
    this.#users[device] = user
    return true
  }

  #giveUp(user: object): void {
    this.#users[this.#users.indexOf(user)] = undefined
  }

  #note(what: keyof NaiveJetstream['seen']): false {
    this.seen[what] += 1
    return false
  }

  #checkQueues(): void {
    const { transferBacklog, generateBacklog, detokeniseBacklog, maxSequences } = this.#o
    for (const { queue } of this.transfer) if (queue.length > transferBacklog) throw new Error('transfer backlog')
    for (const thread of this.generate) {
      if (generateBacklog > 0 && thread.queue.length > generateBacklog) throw new Error('generate backlog')
      if (thread.slots.length > maxSequences) throw new Error('slots')
    }
    for (const { queue } of this.detokenise) if (queue.length > detokeniseBacklog) throw new Error('detokenise backlog')
  }
}

import { toSeconds } from '@windtunnel/des'
import type { RequestDraft } from '@windtunnel/workload'

/** Where a live request is. */
export const PHASE = {
  /** With the front end, not yet in an engine's queue. */
  travelling: 0,
  waiting: 1,
  prefill: 2,
  decode: 3,
  /** Its last token is in flight: not scheduled again, slot and blocks still held. */
  leaving: 4,
  /** Prefilled, its KV on the way to (or waiting for) a generate replica. */
  transferring: 5,
  /** The slot is free. */
  gone: 6,
} as const

export type Phase = (typeof PHASE)[keyof typeof PHASE]

const NONE = -1

/**
 * Room for so many live requests (14 MiB) grows to room for a million at once: memory that is never written costs nothing, and
 * what is copied from table to table does.
 */
const MANY_REQUESTS = 65_536

/**
 * The live requests as columns. A request keeps its slot from arrival to ending; slots are reused, so memory follows the
 * number of requests alive at once. Link columns (`runPrevious`, ...) hold slots, and `NO_SLOT` at an end.
 */
export class RequestTable {
  capacity = 0
  live = 0
  /** Whether requests move from replica to replica; where they do not, the columns of a transfer keep their first values. */
  transfers = false
  id = new Float64Array(0)
  phase = new Uint8Array(0)
  replica = new Int32Array(0)
  inputTokens = new Int32Array(0)
  /** Tokens it will emit: the smaller of what the model generates and what the client allows. */
  outputTokens = new Int32Array(0)
  /** What the client allows (max_tokens). */
  maxTokens = new Int32Array(0)
  /** 1 when it ends by itself (EOS) before the client's limit: the engine cannot foresee the ending. */
  endsEarly = new Uint8Array(0)
  prompt = new Int32Array(0)
  output = new Int32Array(0)
  session = new Float64Array(0)
  tenant = new Int32Array(0)
  serviceClass = new Int32Array(0)
  priority = new Float64Array(0)
  tag = new Float64Array(0)
  arrivalSeconds = new Float64Array(0)
  arrivalTicks = new Float64Array(0)
  /** When its first token is due, virtual seconds; Infinity where nothing says. */
  deadlineSeconds = new Float64Array(0)
  /** Tokens delivered so far, up to the last accounted step. */
  emitted = new Int32Array(0)
  /** Prompt (or recomputed) tokens scheduled so far; while decoding see `joinStep`. */
  computed = new Int32Array(0)
  preemptions = new Int32Array(0)
  /** Time of its last token before a gap that is not one step long; meaningful while `irregular` is 1. */
  lastTokenSeconds = new Float64Array(0)
  lastTokenTicks = new Float64Array(0)
  irregular = new Uint8Array(0)
  /** First decode step, and computed tokens before it: at step t it has computed `joinComputed + t - joinStep`. */
  joinStep = new Float64Array(0)
  joinComputed = new Int32Array(0)
  joinEmitted = new Int32Array(0)
  /** Step whose end delivers its last token. */
  finishStep = new Float64Array(0)
  /** KV: blocks of its own, and shared blocks [0, treeBlocks) of its path. */
  privateBlocks = new Int32Array(0)
  /** Blocks reserved on the receiving side of a transfer. */
  incomingBlocks = new Int32Array(0)
  treeBlocks = new Int32Array(0)
  /** Deepest cached run that it holds, how many of its blocks, and the links of that run's partial holders (KvMemory). */
  holdRow = new Int32Array(0)
  holdBlocks = new Int32Array(0)
  holdNext = new Int32Array(0)
  holdPrevious = new Int32Array(0)
  /** Blocks of its KV that are kept on the host while it waits. */
  hostBlocks = new Int32Array(0)
  /** How often it was sent again after the loss of a replica. */
  retries = new Int32Array(0)
  /** Running list of its replica, in order of admission. */
  runNext = new Int32Array(0)
  runPrevious = new Int32Array(0)
  /** Waiting queue of its replica. */
  queueNext = new Int32Array(0)
  queuePrevious = new Int32Array(0)
  /** Finish calendar: requests with the same finish step. */
  finishNext = new Int32Array(0)
  finishPrevious = new Int32Array(0)
  /** Raised at every reuse of the slot, so that a timer set for an earlier tenant is known to be stale. */
  generation = new Uint32Array(0)
  /** 1 when the client has left and the engine has not yet dropped it. */
  clientLeft = new Uint8Array(0)
  /** Prefill replica that still holds its KV during a transfer. */
  sourceReplica = new Int32Array(0)
  /** Generate replica chosen for it, from then until its KV is there. */
  targetReplica = new Int32Array(0)
  /** Most tokens of its prompt whose KV was ever computed while a transfer could carry it. */
  sendableTokens = new Int32Array(0)

  private free: Int32Array = new Int32Array(0)
  private freeCount = 0

  constructor(capacity = 256) {
    this.grow(capacity)
  }

  /** Takes a slot for a new request and fills it from the draft. */
  add(draft: RequestDraft, id: number): number {
    if (this.freeCount === 0) this.grow(this.capacity * (this.capacity === MANY_REQUESTS ? 16 : 2))
    const slot = this.free[--this.freeCount]!
    this.live += 1
    this.id[slot] = id
    this.phase[slot] = PHASE.travelling
    this.replica[slot] = NONE
    this.inputTokens[slot] = draft.inputTokens
    this.outputTokens[slot] = Math.min(draft.outputTokens, draft.maxTokens)
    this.maxTokens[slot] = draft.maxTokens
    this.endsEarly[slot] = draft.outputTokens < draft.maxTokens ? 1 : 0
    this.prompt[slot] = draft.prompt
    this.output[slot] = draft.output
    this.session[slot] = draft.session
    this.tenant[slot] = draft.tenant
    this.serviceClass[slot] = draft.serviceClass
    this.priority[slot] = draft.priority
    this.tag[slot] = draft.tag
    this.arrivalSeconds[slot] = draft.arrival.seconds
    this.arrivalTicks[slot] = draft.arrival.ticks
    this.deadlineSeconds[slot] = toSeconds(draft.arrival) + draft.timeoutSeconds
    this.emitted[slot] = 0
    this.computed[slot] = 0
    this.preemptions[slot] = 0
    this.irregular[slot] = 0
    this.privateBlocks[slot] = 0
    this.treeBlocks[slot] = 0
    this.holdRow[slot] = 0
    this.holdBlocks[slot] = 0
    this.hostBlocks[slot] = 0
    this.retries[slot] = 0
    this.clientLeft[slot] = 0
    if (this.transfers) {
      this.sourceReplica[slot] = NONE
      this.targetReplica[slot] = NONE
      this.sendableTokens[slot] = 0
    }
    return slot
  }

  /** Forgets what a replica did for the request: it begins anew. Its client, deadline and output are the same. */
  restart(slot: number): void {
    this.phase[slot] = PHASE.travelling
    this.emitted[slot] = 0
    this.computed[slot] = 0
    this.irregular[slot] = 0
    this.privateBlocks[slot] = 0
    this.treeBlocks[slot] = 0
    this.holdRow[slot] = 0
    this.holdBlocks[slot] = 0
    this.hostBlocks[slot] = 0
    this.sourceReplica[slot] = NONE
    this.sendableTokens[slot] = 0
  }

  /** Gives the slot back. */
  remove(slot: number): void {
    if (this.phase[slot] === PHASE.gone) throw new Error(`request slot ${slot} is given back twice`)
    this.live -= 1
    this.phase[slot] = PHASE.gone
    this.generation[slot] = (this.generation[slot]! + 1) >>> 0
    this.free[this.freeCount++] = slot
  }

  private grow(capacity: number): void {
    const old = this.capacity
    const columns = this as unknown as Record<string, Float64Array | Int32Array | Uint8Array | Uint32Array>
    for (const [name, Column] of COLUMNS) {
      const grown = new Column(capacity)
      if (old > 0) grown.set(columns[name]!)
      if (name === 'phase') grown.fill(PHASE.gone, old)
      if (name === 'sourceReplica' || name === 'targetReplica') grown.fill(NONE, old)
      columns[name] = grown
    }
    this.free = new Int32Array(capacity)
    for (let slot = capacity - 1; slot >= old; slot--) this.free[this.freeCount++] = slot
    this.capacity = capacity
  }
}

/** Ends a chain of link columns. */
export const NO_SLOT = NONE

type ColumnType = typeof Float64Array | typeof Int32Array | typeof Uint8Array | typeof Uint32Array

const COLUMNS: readonly (readonly [string, ColumnType])[] = [
  ...(
    [
      'id',
      'session',
      'priority',
      'tag',
      'arrivalSeconds',
      'arrivalTicks',
      'deadlineSeconds',
      'lastTokenSeconds',
      'lastTokenTicks',
    ] as const
  ).map((name) => [name, Float64Array] as const),
  ...(['joinStep', 'finishStep'] as const).map((name) => [name, Float64Array] as const),
  ...(['phase', 'endsEarly', 'irregular', 'clientLeft'] as const).map((name) => [name, Uint8Array] as const),
  ['generation', Uint32Array],
  ...(
    [
      'replica',
      'inputTokens',
      'outputTokens',
      'maxTokens',
      'prompt',
      'output',
      'tenant',
      'serviceClass',
      'emitted',
      'computed',
      'preemptions',
      'joinComputed',
      'joinEmitted',
      'privateBlocks',
      'incomingBlocks',
      'treeBlocks',
      'hostBlocks',
      'retries',
      'holdRow',
      'holdBlocks',
      'holdNext',
      'holdPrevious',
      'runNext',
      'runPrevious',
      'queueNext',
      'queuePrevious',
      'finishNext',
      'finishPrevious',
      'sourceReplica',
      'targetReplica',
      'sendableTokens',
    ] as const
  ).map((name) => [name, Int32Array] as const),
]

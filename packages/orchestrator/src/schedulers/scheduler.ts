/** What a scheduler may know of a request when it joins a queue. Times in virtual seconds, lengths in tokens. */
export interface QueuedRequest {
  arrivalSeconds: number
  /** When its first token is due: the objective of its class, or when its client gives up, if that is sooner; Infinity without. */
  deadlineSeconds: number
  inputTokens: number
  /** What the client allows; the true length is not known to anybody yet. */
  maxOutputTokens: number
  priority: number
  tenant: number
  serviceClass: number
}

/** The queue of an engine for a scheduler whose order changes while requests wait: preempted requests, then by arrival. */
export interface QueueView {
  /** Requests that wait. */
  readonly count: number
  request(at: number): QueuedRequest
  /** Leading tokens of its text in the engine's prefix cache. Costs one walk up its shared runs. */
  cachedTokens(at: number): number
  /** Prompt tokens of the tenant's requests admitted here so far; a request counts once however often it is preempted. */
  servedInput(tenant: number): number
  /** Tokens delivered to the tenant's requests admitted here so far. */
  servedOutput(tenant: number): number
}

/** A dynamic order: state of its own at most, nothing of the engine's. */
export interface Picker {
  /** A request is about to join the queue as it is. */
  joined?(request: QueuedRequest, queue: QueueView): void
  /** The request was picked and admitted. */
  admitted?(request: QueuedRequest): void
  /** Which of 0 .. count - 1 goes first now; count is at least 1. Asked again after every admission and every step. */
  pick(queue: QueueView): number
}

/**
 * Queue order of an engine, and who gives way when KV blocks run out. Pure: the rank is asked for once, when a request
 * joins the queue; a dynamic order is asked at every look at the queue, at the price of one look a step while somebody waits.
 */
export interface Scheduler {
  readonly name: string
  readonly description: string
  /** Lower runs first; equal ranks run in order of arrival. Undefined: order of arrival alone. */
  readonly rank?: (request: QueuedRequest) => number
  /** A dynamic order in place of a rank, begun anew for each engine. Engines that cannot ask it at every step refuse it. */
  readonly start?: () => Picker
  /** The victim of a preemption: the last admitted, or the one with the worst rank (ties: the latest arrival). */
  readonly victim: 'lastAdmitted' | 'worstRank'
}

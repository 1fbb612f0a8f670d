/** What a scheduler may know of a request when it joins a queue. Times in virtual seconds, lengths in tokens. */
export interface QueuedRequest {
  arrivalSeconds: number
  inputTokens: number
  /** What the client allows; the true length is not known to anybody yet. */
  maxOutputTokens: number
  priority: number
  tenant: number
  serviceClass: number
}

/**
 * Queue order of an engine, and who gives way when KV blocks run out. Pure: the rank is asked for once, when a request
 * joins the queue.
 */
export interface Scheduler {
  readonly name: string
  readonly description: string
  /** Lower runs first; equal ranks run in order of arrival. Undefined: order of arrival alone. */
  readonly rank?: (request: QueuedRequest) => number
  /** The victim of a preemption: the last admitted, or the one with the worst rank (ties: the latest arrival). */
  readonly victim: 'lastAdmitted' | 'worstRank'
}

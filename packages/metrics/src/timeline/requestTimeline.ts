import type { Ending } from '../facts/ending.ts'

/**
 * What happened to one request, in virtual seconds. The ledger fills one reused object for every ending: read it, do not
 * keep it. A moment that did not come is undefined.
 */
export interface RequestTimeline {
  request: number
  serviceClass: number
  tenant: number
  inputTokens: number
  /** Tokens delivered. */
  outputTokens: number
  /** Prompt tokens found in a prefix cache at the first admission. */
  cachedTokens: number
  preemptions: number
  arrival: number
  /** Start of the first step that computes it. */
  admitted: number | undefined
  firstToken: number | undefined
  /** When its KV cache left the prefill engine, and when it had arrived. */
  transferStarted: number | undefined
  transferred: number | undefined
  ended: number
  ending: Ending
  /** Replica that finished it; undefined when it never reached one. */
  replica: number | undefined
}

export const emptyTimeline = (): RequestTimeline => ({
  request: 0,
  serviceClass: 0,
  tenant: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedTokens: 0,
  preemptions: 0,
  arrival: 0,
  admitted: undefined,
  firstToken: undefined,
  transferStarted: undefined,
  transferred: undefined,
  ended: 0,
  ending: 'completed',
  replica: undefined,
})

/** A copy to keep. */
export const copyOfTimeline = (t: RequestTimeline): RequestTimeline => ({
  request: t.request,
  serviceClass: t.serviceClass,
  tenant: t.tenant,
  inputTokens: t.inputTokens,
  outputTokens: t.outputTokens,
  cachedTokens: t.cachedTokens,
  preemptions: t.preemptions,
  arrival: t.arrival,
  admitted: t.admitted,
  firstToken: t.firstToken,
  transferStarted: t.transferStarted,
  transferred: t.transferred,
  ended: t.ended,
  ending: t.ending,
  replica: t.replica,
})

/** TTFT: arrival to first output token, seconds; undefined when no token came. */
export const ttftOf = ({ firstToken, arrival }: RequestTimeline): number | undefined =>
  firstToken === undefined ? undefined : firstToken - arrival

/** E2E: arrival to the last token, seconds; undefined unless the request completed. */
export const e2eOf = (t: RequestTimeline): number | undefined =>
  t.ending === 'completed' ? t.ended - t.arrival : undefined

/** TPOT: (last token - first token) / (n - 1), seconds; undefined for one token and for requests that did not complete. */
export const tpotOf = ({ ending, firstToken, ended, outputTokens }: RequestTimeline): number | undefined =>
  ending === 'completed' && firstToken !== undefined && outputTokens > 1
    ? (ended - firstToken) / (outputTokens - 1)
    : undefined

/** Normalised latency: E2E / output tokens, seconds per token. */
export const normalisedLatencyOf = (t: RequestTimeline): number | undefined =>
  t.ending === 'completed' && t.outputTokens > 0 ? (t.ended - t.arrival) / t.outputTokens : undefined

/** The four phases of a request in seconds; they follow one another and sum to ending - arrival. */
export interface Phases {
  queue: number
  prefill: number
  transfer: number
  decode: number
}

/**
 * Queue: arrival to first admission. Prefill: to the first token or the start of the transfer, whichever is earlier.
 * Transfer: from there until the KV cache has arrived (0 without one). Decode: the rest.
 */
export const phasesOf = (t: RequestTimeline, into: Phases): Phases => {
  const admitted = t.admitted ?? t.ended
  let prefillEnd = t.firstToken ?? t.transferStarted ?? t.ended
  if (t.transferStarted !== undefined && t.transferStarted < prefillEnd) prefillEnd = t.transferStarted
  const transferEnd = t.transferStarted === undefined ? prefillEnd : (t.transferred ?? t.ended)
  into.queue = admitted - t.arrival
  into.prefill = prefillEnd - admitted
  into.transfer = transferEnd - prefillEnd
  into.decode = t.ended - transferEnd
  return into
}

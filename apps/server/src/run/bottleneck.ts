import type { Frame } from '@windtunnel/protocol'
import { breachesOf, percent, queueShare, stepBound } from './whyLate.ts'

const tokens = (count: number): string => (count >= 1000 ? `${(count / 1000).toFixed(1)}k` : count.toFixed(0))
/** Such as 36,074. */
const whole = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
const rate = (perSecond: number): string => perSecond.toFixed(1)

/**
 * A sentence on what bounds the fleet now; undefined when it idles. While first tokens are late it names the queue or
 * prefill; decode is named only when tokens come too slowly, or when no promise is broken.
 */
export function bottleneckOf(frame: Frame): string | undefined {
  if (frame.preemptionsPerSecond > 0 && frame.kvUse > 0.9)
    return `KV cache is full (${percent(frame.kvUse)}): requests are preempted and computed again. More memory, fewer sequences or another replica would help.`
  const broken = new Set(breachesOf(frame).map(({ metric }) => metric))
  const slow = broken.has('itl') || broken.has('tpot') ? decodeSentence(frame) : undefined
  const late = broken.has('ttft') ? lateSentence(frame) : undefined
  if (late !== undefined) return slow === undefined ? late : `${late} ${slow}`
  return slow ?? behindSentence(frame) ?? decodeSentence(frame)
}

/** Where the time to the first token goes. */
function lateSentence(frame: Frame): string | undefined {
  const queued = queueShare(frame)
  if (queued === undefined) return undefined
  if (queued < 0.5)
    return `Prompts take long to compute: ${percent(1 - queued)} of TTFT is prefill, ${percent(queued)} queue.`
  return `Requests wait: ${percent(queued)} of TTFT is queue. ${whole(frame.waiting)} wait for ${longestQueue(frame)}; ${cure(frame)}.${beforeEngines(frame)}`
}

/** Requests that no engine knows of yet, where they are many: front ends tokenise prompts one after another. */
function beforeEngines({ requests, waiting, running, transferring }: Frame): string {
  const more = requests.unfinished - waiting - running - transferring
  return more > 4 && more > waiting / 4 ? ` ${whole(more)} more have not come through the front end.` : ''
}

/** What would shorten the queue: requests in replicas that drain are not taken over by others. */
function cure({ replicas, waiting }: Frame): string {
  const draining = replicas.reduce((sum, { state, waiting: own }) => sum + (state === 'draining' ? own : 0), 0)
  return draining > waiting / 2
    ? 'most of them in replicas that drain, where no other replica takes them over'
    : 'another replica there would help'
}

/** The pool in which most requests wait. */
function longestQueue({ replicas }: Frame): string {
  const waiting = new Map<string, number>()
  for (const { pool, waiting: own } of replicas) waiting.set(pool, (waiting.get(pool) ?? 0) + own)
  let longest = ''
  for (const [pool, count] of waiting) if (longest === '' || count > waiting.get(longest)!) longest = pool
  return longest
}

function behindSentence(frame: Frame): string | undefined {
  if (frame.waiting > 4 && frame.waiting > frame.running * 0.5)
    return `Prefill is behind: ${whole(frame.waiting)} requests wait, ${rate(frame.arrivalRate)} arrive and ${rate(frame.requestsPerSecond)} finish per second.`
  if (frame.transferring > 4 && frame.transferring > frame.running * 0.25)
    return `KV transfer is behind: ${frame.transferring} caches are on their way or wait for room.`
  return undefined
}

function decodeSentence(frame: Frame): string | undefined {
  const bound = stepBound(frame)
  const replica = frame.replicas.find((one) => one.replica === frame.step?.replica)
  if (bound === undefined || replica === undefined || replica.running === 0) return undefined
  const context = tokens(replica.contextTokens / replica.running)
  return `Decode is bound by ${bound.part} (${percent(bound.share)} of a step): batch ${replica.running} at ${context} context.`
}

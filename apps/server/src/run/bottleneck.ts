import type { Frame } from '@windtunnel/protocol'

type Told = Pick<
  Frame,
  | 'replicas'
  | 'step'
  | 'waiting'
  | 'transferring'
  | 'running'
  | 'kvUse'
  | 'preemptionsPerSecond'
  | 'arrivalRate'
  | 'requestsPerSecond'
>

const PARTS = {
  kv: 'reading the KV cache',
  weights: 'reading weights',
  compute: 'arithmetic',
  collectives: 'communication between accelerators',
  host: 'host and launch overhead',
} as const

const thousands = (tokens: number): string => (tokens >= 1000 ? `${(tokens / 1000).toFixed(1)}k` : tokens.toFixed(0))
const percent = (part: number): string => `${Math.round(part * 100)} %`

/** A sentence on what bounds the fleet now; undefined when it idles. */
export function bottleneckOf(frame: Told): string | undefined {
  if (frame.preemptionsPerSecond > 0 && frame.kvUse > 0.9)
    return `KV cache is full (${percent(frame.kvUse)}): requests are preempted and computed again. More memory, fewer sequences or another replica would help.`
  if (frame.waiting > 4 && frame.waiting > frame.running * 0.5)
    return `Prefill is behind: ${frame.waiting} requests wait, ${rate(frame.arrivalRate)} arrive and ${rate(frame.requestsPerSecond)} finish per second.`
  if (frame.transferring > 4 && frame.transferring > frame.running * 0.25)
    return `KV transfer is behind: ${frame.transferring} caches are on their way or wait for room.`
  return decodeSentence(frame)
}

const rate = (perSecond: number): string => perSecond.toFixed(1)

function decodeSentence(frame: Told): string | undefined {
  const step = frame.step
  if (step === undefined || step.seconds <= 0) return undefined
  const replica = frame.replicas.find((one) => one.replica === step.replica)
  if (replica === undefined || replica.running === 0) return undefined
  let most: keyof typeof PARTS = 'kv'
  for (const part of Object.keys(PARTS) as (keyof typeof PARTS)[]) if (step[part] > step[most]) most = part
  const context = thousands(replica.contextTokens / replica.running)
  return `Decode is bound by ${PARTS[most]} (${percent(step[most] / step.seconds)} of a step): batch ${replica.running} at ${context} context.`
}

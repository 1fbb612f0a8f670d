import { Schema } from 'effect'
import { count, quantity } from './quantities.ts'

export const ENDINGS = ['completed', 'rejected', 'failed', 'cancelled', 'timedOut'] as const

/** The timeline of one ended request out of many. The four durations follow one another from the arrival on. */
export const RequestSample = Schema.Struct({
  type: Schema.tag('requestSample'),
  run: Schema.String,
  request: count('number of the request'),
  arrival: quantity('virtual time, seconds'),
  queue: quantity('seconds from arrival to the first step that computes it'),
  prefill: quantity('seconds from there to the end of prefill'),
  transfer: quantity('seconds of KV transfer and waiting for it; 0 without one'),
  decode: quantity('seconds from there to the last token'),
  ttft: Schema.optionalKey(quantity('seconds from arrival to the first token; absent when there was none')),
  inputTokens: count('prompt tokens'),
  cachedTokens: count('of which were found in a prefix cache'),
  outputTokens: count('tokens delivered'),
  preemptions: count('times it was preempted'),
  serviceClass: Schema.String,
  ending: Schema.Literals(ENDINGS),
}).annotate({ identifier: 'RequestSample', description: 'The timeline of one ended request out of many' })
export type RequestSample = typeof RequestSample.Type

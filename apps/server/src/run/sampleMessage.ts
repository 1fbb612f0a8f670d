import { phasesOf, type RequestTimeline, ttftOf } from '@windtunnel/metrics'
import type { RequestSample } from '@windtunnel/protocol'

const phases = { queue: 0, prefill: 0, transfer: 0, decode: 0 }

export function sampleMessage(run: string, timeline: RequestTimeline, serviceClass: string): RequestSample {
  const { queue, prefill, transfer, decode } = phasesOf(timeline, phases)
  const ttft = ttftOf(timeline)
  return {
    type: 'requestSample',
    run,
    request: timeline.request,
    arrival: timeline.arrival,
    queue,
    prefill,
    transfer,
    decode,
    ...(ttft === undefined ? {} : { ttft }),
    inputTokens: timeline.inputTokens,
    cachedTokens: timeline.cachedTokens,
    outputTokens: timeline.outputTokens,
    preemptions: timeline.preemptions,
    serviceClass,
    ending: timeline.ending,
  }
}

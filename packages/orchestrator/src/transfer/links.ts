import type { Time } from '@windtunnel/des'

/** How KV travels between replicas; bandwidths in bytes per second, times in seconds. */
export interface LinkOptions {
  /** Out of one prefill replica. */
  bytesPerSecond: number
  /** From the start of a transfer to its first byte. */
  latencySeconds: number
  /** Into one generate replica; without it that of a prefill replica. Fair sharing only. */
  ingressBytesPerSecond?: number | undefined
  /** Through the network that all transfers share; unlimited without it. Fair sharing only. */
  spineBytesPerSecond?: number | undefined
}

/** State of one link for viewers. */
export interface LinkView {
  kind: 'egress' | 'ingress' | 'spine'
  /** The replica whose link it is; absent for the spine. */
  replica?: number
  /** What it can carry, and what it carries now. */
  bytesPerSecond: number
  bytesPerSecondNow: number
  /** Transfers under way, and waiting for the link. */
  active: number
  queued: number
  /** Bytes of the transfers that have ended. */
  bytesDone: number
}

/** The links of a fleet as a state machine on virtual time. */
export interface Links {
  /** Called when a transfer begins. */
  onStart: (slot: number, source: number, bytes: number, time: Time) => void
  /** Asks for a transfer of `bytes` in all, of which `offered` can be sent at once and the others when they are offered. */
  request(slot: number, source: number, target: number, bytes: number, offered: number, now: Time): void
  /** `offered` bytes of the transfer, counted from its start, can be sent now. */
  offer(slot: number, offered: number, now: Time): void
  /** Writes the time of the next event into `into`; false when nothing is under way. */
  nextEvent(into: Time): boolean
  /** Handles the event that is due; returns the request whose transfer has ended, or NO_SLOT. */
  handle(now: Time): number
  /** Forgets a transfer. False when it is under way and cannot be stopped. */
  cancel(slot: number, now: Time): boolean
  view(now: Time): LinkView[]
}

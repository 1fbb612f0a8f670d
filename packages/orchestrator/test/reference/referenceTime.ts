import type { Time } from '@windtunnel/des'

const TICKS = 1n << 44n

/** Absolute ticks. */
export const ticksOf = (time: Time): bigint => BigInt(time.seconds) * TICKS + BigInt(time.ticks)

/** The nearest double in seconds, as facts carry it. */
export const seconds = (ticks: bigint): number => Number(ticks / TICKS) + Number(ticks % TICKS) * 2 ** -44

export const timeOf = (ticks: bigint): Time => ({ seconds: Number(ticks / TICKS), ticks: Number(ticks % TICKS) })

/** Durations arrive as whole ticks of 2^-44 s, the resolution of virtual time. */
export const TICKS_PER_SECOND = 17_592_186_044_416

export const SECONDS_PER_TICK = 1 / TICKS_PER_SECOND

/** The ticks between two virtual times in seconds; exact below 512 s, and the same bits everywhere beyond. */
export const ticksBetweenSeconds = (from: number, to: number): number => Math.round((to - from) * TICKS_PER_SECOND)

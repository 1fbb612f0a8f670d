import { requireCount, requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'

/**
 * Pipelining: a step of `microbatches` over `stages` takes microbatches + stages - 1 slots, of which stages - 1 are the
 * bubble; a stage passes on one activation per microbatch. The book gives no closed form; this is the plain schedule,
 * forward then backward, without interleaving. Book ch. 5, T15.
 */
export function pipelineBubble(inputs: { stages: number; microbatches: number }): {
  /** Share of a step in which a stage idles: (stages-1)/(microbatches+stages-1). */
  idleShare: number
  /** Step time over that without a bubble. */
  slowdown: number
} {
  const { stages, microbatches } = inputs
  requireCount('pipelineBubble', { stages, microbatches })
  return {
    idleShare: (stages - 1) / (microbatches + stages - 1),
    slowdown: (microbatches + stages - 1) / microbatches,
  }
}

/** Microbatches that keep the bubble at or below a share of the step: ceil((stages-1)(1-share)/share). T15. */
export function microbatchesForIdleShare(inputs: { stages: number; idleShare: number }): number {
  const { stages, idleShare } = inputs
  requireCount('microbatchesForIdleShare', { stages })
  requirePositive('microbatchesForIdleShare', { idleShare })
  return Math.max(1, Math.ceil(((stages - 1) * (1 - idleShare)) / idleShare - 1e-9))
}

/** Seconds for one stage to hand one microbatch's activations to the next: bytes x tokens x D over a link. T15. */
export function stageHopSeconds(inputs: {
  microbatchTokens: number
  dModel: number
  /** One direction of the link between the stages. */
  onewayBytesPerSecond: number
  bytesPerElement?: number
}): number {
  const { microbatchTokens, dModel, onewayBytesPerSecond, bytesPerElement = 2 } = inputs
  requirePositive('stageHopSeconds', { microbatchTokens, dModel, onewayBytesPerSecond, bytesPerElement })
  return moveSeconds(bytesPerElement * microbatchTokens * dModel, onewayBytesPerSecond)
}

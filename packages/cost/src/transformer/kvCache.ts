import { requireNonNegative, requirePositive } from '../costInputError.ts'

/** The sizes that fix a KV cache. */
export interface KvShape {
  layers: number
  kvHeads: number
  headDim: number
  /** Bytes per cached element: 2 bf16, 1 int8 or fp8, 0.5 int4. */
  bytesPerElement: number
}

/** KV cache bytes of one token over all layers: 2LKH x bytes (keys and values). Book ch. 4, M12. */
export function kvBytesPerToken(shape: KvShape): number {
  const { layers, kvHeads, headDim, bytesPerElement } = shape
  requirePositive('kvBytesPerToken', { layers, kvHeads, headDim, bytesPerElement })
  return 2 * layers * kvHeads * headDim * bytesPerElement
}

/** KV cache bytes of one sequence of `contextTokens` tokens. Book ch. 4, M12; ch. 7, I6. */
export function kvBytesPerSequence(inputs: KvShape & { contextTokens: number }): number {
  requirePositive('kvBytesPerSequence', { contextTokens: inputs.contextTokens })
  return kvBytesPerToken(inputs) * inputs.contextTokens
}

/**
 * KV cache bytes of one sequence where some layers attend to a window only, and layers may share one cache. Windowed
 * layers keep at most the window. Sharing divides what is stored; each layer still reads a cache of its own length, so
 * what a decode step reads is not divided. Book ch. 7, I6.
 */
export function mixedKvBytes(inputs: {
  /** Layers that attend to the whole context. */
  globalLayers: number
  /** Layers that attend to the last `windowTokens` tokens. */
  localLayers: number
  windowTokens: number
  /** Layers that share one stored cache; 1 for none. */
  layersPerCache: number
  kvHeads: number
  headDim: number
  bytesPerElement: number
  contextTokens: number
}): { storedBytes: number; readBytes: number } {
  const { globalLayers, localLayers, windowTokens, layersPerCache, contextTokens } = inputs
  const { kvHeads, headDim, bytesPerElement } = inputs
  requireNonNegative('mixedKvBytes', { globalLayers, localLayers })
  requirePositive('mixedKvBytes', { windowTokens, layersPerCache, contextTokens })
  const perLayerToken = kvBytesPerToken({ layers: 1, kvHeads, headDim, bytesPerElement })
  const cached = globalLayers * contextTokens + localLayers * Math.min(contextTokens, windowTokens)
  return { storedBytes: (perLayerToken * cached) / layersPerCache, readBytes: perLayerToken * cached }
}

import { type Architecture, layerShapes } from '@windtunnel/models'

/**
 * The window at which an engine cuts each sequence for `decodeWindowTokens`: the (largest) attention window of the
 * windowed layers, or the tokens that a sparse indexer picks; undefined for a model whose layers all see everything.
 */
export function attentionWindowTokens(architecture: Architecture): number | undefined {
  let window: number | undefined
  for (const shape of layerShapes(architecture)) {
    const tokens = shape.windowTokens ?? shape.sparseTokens
    if (tokens !== undefined && tokens > (window ?? 0)) window = tokens
  }
  return window
}

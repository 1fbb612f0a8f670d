import { requireCount, requirePositive } from '../costInputError.ts'

/** A matmul computed in tiles: how many tiles along each dimension, and how large one is. */
export interface Tiling {
  readonly rowTiles: number
  readonly columnTiles: number
  readonly contractionTiles: number
  readonly tileRows: number
  readonly tileColumns: number
  readonly tileContraction: number
  /** 2 (bf16) unless given. */
  readonly bytesPerElement?: number
}

/**
 * A tiled matmul that reads both input tiles for every product and writes each output tile once:
 * `FLOPs = 2 tm tn tk bm bn bk`, `bytes = 2 tm tn (tk (bm bk + bk bn) + bm bn)`. Book ch. 1, R11.
 */
export function tiledMatmul(of: Tiling): {
  readonly flops: number
  readonly bytes: number
  readonly intensity: number
} {
  const { rowTiles, columnTiles, contractionTiles, tileRows, tileColumns, tileContraction, bytesPerElement = 2 } = of
  requireCount('tiledMatmul', { rowTiles, columnTiles, contractionTiles, tileRows, tileColumns, tileContraction })
  requirePositive('tiledMatmul', { bytesPerElement })
  const outputTiles = rowTiles * columnTiles
  const flops = 2 * outputTiles * contractionTiles * tileRows * tileColumns * tileContraction
  const read = contractionTiles * (tileRows * tileContraction + tileContraction * tileColumns)
  const bytes = bytesPerElement * outputTiles * (read + tileRows * tileColumns)
  return { flops, bytes, intensity: flops / bytes }
}

/**
 * Intensity of a tiled matmul with a long contraction, where the output no longer counts: `bm bn / (bm + bn)` in bf16.
 * Book ch. 1, R11. FLOP per byte.
 */
export function tileIntensity(tileRows: number, tileColumns: number, bytesPerElement = 2): number {
  requirePositive('tileIntensity', { tileRows, tileColumns, bytesPerElement })
  return (2 * tileRows * tileColumns) / (bytesPerElement * (tileRows + tileColumns))
}

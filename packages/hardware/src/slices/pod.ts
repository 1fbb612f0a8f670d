import type { Quantity } from '../quantity.ts'

/** The largest torus that chips of one generation form, and how hosts and allocations cut it. */
export interface Pod {
  /** Chips along each axis. */
  readonly shape: readonly number[]
  /** Chips of one host along each axis. */
  readonly hostShape: readonly number[]
  /** Slices below one whole cube (3D) or all slices (2D) that can be had, smallest first. */
  readonly smallSlices: readonly (readonly number[])[]
  /** Memory of one host, for all its chips. */
  readonly hostDramBytes?: Quantity<'B'>
  readonly source: string
}

const cloudSlices2d = [
  [1, 1],
  [2, 2],
  [2, 4],
  [4, 4],
  [4, 8],
  [8, 8],
  [8, 16],
  [16, 16],
] as const

const cloudSlices3d = [
  [2, 2, 1],
  [2, 2, 2],
  [2, 2, 4],
  [2, 4, 4],
] as const

/** A 16 x 16 pod of the v5e and v6e kind, on hosts of 4 x 2 chips. */
export const pod2d = (source: string, hostDramBytes?: Quantity<'B'>): Pod => ({
  ...(hostDramBytes === undefined ? {} : { hostDramBytes }),
  shape: [16, 16],
  hostShape: [4, 2],
  smallSlices: cloudSlices2d,
  source,
})

/** A pod of 4 x 4 x 4 cubes on hosts of 2 x 2 x 1 chips. */
export const pod3d = (shape: readonly [number, number, number], source: string): Pod => ({
  shape,
  hostShape: [2, 2, 1],
  smallSlices: cloudSlices3d,
  source,
})

import { type Accelerator, MissingFigure } from '../accelerator.ts'
import type { Pod } from './pod.ts'

/** Some chips of a pod, wired as a grid; `wraps[i]` says whether axis i closes into a ring. */
export interface Slice {
  readonly accelerator: Accelerator
  readonly shape: readonly number[]
  readonly wraps: readonly boolean[]
  readonly chips: number
}

/** A shape that a pod cannot give. */
export class UnsupportedSlice extends Error {
  readonly _tag = 'UnsupportedSlice'
  readonly accelerator: string
  readonly shape: readonly number[]

  constructor(accelerator: string, shape: readonly number[], expected: string) {
    super(`${accelerator} has no slice ${shape.join('x')}: expected ${expected}.`)
    this.name = 'UnsupportedSlice'
    this.accelerator = accelerator
    this.shape = shape
  }
}

export const product = (shape: readonly number[]): number => shape.reduce((total, axis) => total * axis, 1)

/** The pod of an accelerator. Throws `MissingFigure` for one that forms none, such as a GPU. */
export const podOf = (accelerator: Accelerator): Pod => {
  if (accelerator.pod === undefined)
    throw new MissingFigure(accelerator.name, 'pod', 'Only TPUs form slices; GPUs sit in nodes.')
  return accelerator.pod
}

/**
 * Formula H8. On a 2D part an axis wraps when it is as long as the pod's (16 on v5e and v6e); on a 3D part all axes wrap
 * when each is a multiple of 4, and none otherwise.
 */
export const wrapsOf = (pod: Pod, shape: readonly number[]): readonly boolean[] => {
  if (pod.shape.length === 2) return shape.map((axis) => pod.shape.includes(axis))
  const wholeCubes = shape.every((axis) => axis % 4 === 0)
  return shape.map(() => wholeCubes)
}

/**
 * The slice of that shape, whether or not a cloud sells it; `supportedSlices` says which it does.
 * Throws `UnsupportedSlice` for another number of axes than the pod's, or one that is no whole number within the pod.
 */
export const sliceOf = (accelerator: Accelerator, shape: readonly number[]): Slice => {
  const pod = podOf(accelerator)
  const fits = ascending(shape).every(
    (axis, i) => Number.isInteger(axis) && axis >= 1 && axis <= ascending(pod.shape)[i]!,
  )
  if (shape.length !== pod.shape.length || !fits)
    throw new UnsupportedSlice(
      accelerator.name,
      shape,
      `${pod.shape.length} whole numbers that fit in its pod of ${pod.shape.join('x')}`,
    )
  return { accelerator, shape, wraps: wrapsOf(pod, shape), chips: product(shape) }
}

const ascending = (shape: readonly number[]): number[] => [...shape].sort((a, b) => a - b)

/** The shapes that can be had: the small ones of the pod, then, on a 3D part, all whole cubes in it. Smallest first. */
export const supportedSlices = (accelerator: Accelerator): readonly (readonly number[])[] => {
  const pod = podOf(accelerator)
  if (pod.shape.length === 2) return pod.smallSlices
  const [short = 0, middle = 0, long = 0] = ascending(pod.shape)
  const cubes: number[][] = []
  for (let x = 4; x <= short; x += 4)
    for (let y = x; y <= middle; y += 4) for (let z = y; z <= long; z += 4) cubes.push([x, y, z])
  return [...pod.smallSlices, ...cubes.sort((a, b) => product(a) - product(b) || spread(a) - spread(b))]
}

const spread = (shape: readonly number[]): number => Math.max(...shape) - Math.min(...shape)

/** The smallest slice with at least `chips`, the most cubic of equals; undefined when the pod is smaller (formula S3). */
export const smallestSlice = (accelerator: Accelerator, chips: number): Slice | undefined => {
  const shape = supportedSlices(accelerator).find((candidate) => product(candidate) >= chips)
  return shape === undefined ? undefined : sliceOf(accelerator, shape)
}

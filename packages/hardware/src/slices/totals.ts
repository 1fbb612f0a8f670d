import type { Accelerator } from '../accelerator.ts'
import { MissingFigure } from '../accelerator.ts'
import type { ComputeDtype } from '../computeDtype.ts'
import { podOf, product, type Slice, sliceOf } from './slice.ts'

/** A slice added up: counts, and per-chip figures times its chips (formula H4). Undefined where a figure is unknown. */
export interface SliceTotals {
  readonly chips: number
  /** Hosts the chips stand on; a slice smaller than a host counts one. */
  readonly hosts: number
  readonly cores: number | undefined
  readonly flopsPerSecond: Readonly<Partial<Record<ComputeDtype, number>>>
  readonly hbmBytes: number
  readonly hbmBytesPerSecond: number
  readonly dcnBytesPerSecond: number | undefined
}

const times = (count: number, figure: number | undefined): number | undefined =>
  figure === undefined ? undefined : count * figure

export const sliceTotals = (slice: Slice): SliceTotals => {
  const { accelerator, chips } = slice
  const flopsPerSecond: Partial<Record<ComputeDtype, number>> = {}
  for (const [dtype, peak] of Object.entries(accelerator.flopsPerSecond))
    flopsPerSecond[dtype as ComputeDtype] = peak * chips
  return {
    chips,
    hosts: Math.ceil(chips / product(podOf(accelerator).hostShape)),
    cores: times(chips, accelerator.coresPerDevice),
    flopsPerSecond,
    hbmBytes: chips * accelerator.hbmBytes,
    hbmBytesPerSecond: chips * accelerator.hbmBytesPerSecond,
    dcnBytesPerSecond: times(chips, accelerator.dcnBytesPerSecond),
  }
}

/** The whole pod as a slice. */
export const fullPod = (accelerator: Accelerator): Slice => sliceOf(accelerator, podOf(accelerator).shape)

const linkOf = ({ accelerator }: Slice): number => {
  const link = accelerator.scaleUpLinkBytesPerSecond
  if (link === undefined)
    throw new MissingFigure(accelerator.name, 'scaleUpLinkBytesPerSecond', 'Bisection and egress need it.')
  return link
}

/** Links in the slice, each counted once. */
export const sliceLinks = (slice: Slice): number =>
  slice.shape.reduce((total, length, axis) => {
    const perLine = slice.wraps[axis] === true && length > 2 ? length : length - 1
    return total + perLine * (slice.chips / length)
  }, 0)

/**
 * Bandwidth across the narrowest halving of the slice, both directions, bytes/s: cut the longest axis in the middle;
 * every line of chips along it is cut once, twice where it wraps.
 */
export const sliceBisection = (slice: Slice): number => {
  const cuts = slice.shape.map((length, axis) => {
    if (length === 1) return Number.POSITIVE_INFINITY
    return (slice.chips / length) * (slice.wraps[axis] === true && length > 2 ? 2 : 1)
  })
  const narrowest = Math.min(...cuts)
  return Number.isFinite(narrowest) ? 2 * narrowest * linkOf(slice) : 0
}

/** What a chip inside the slice can send over its links, one direction, bytes/s; fewer links at the edge of an open axis. */
export const chipEgress = (slice: Slice): number =>
  linkOf(slice) * slice.shape.reduce((total, length) => total + Math.min(2, length - 1), 0)

/** What a slice can send to other slices over the data-centre network, one direction, bytes/s. */
export const sliceEgress = (slice: Slice): number => {
  const dcn = slice.accelerator.dcnBytesPerSecond
  if (dcn === undefined)
    throw new MissingFigure(slice.accelerator.name, 'dcnBytesPerSecond', 'Give the egress of a chip yourself.')
  return dcn * slice.chips
}

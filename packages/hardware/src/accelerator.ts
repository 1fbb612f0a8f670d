import type { ComputeDtype } from './computeDtype.ts'
import type { Figures } from './figures.ts'
import type { Pod } from './slices/pod.ts'
import { UnknownName } from './unknownName.ts'

/** Whose numbers: the maker's data sheets, or the tables of "How To Scale Your Model" where they differ. */
export type Profile = 'vendor' | 'book'

export type ScaleUp = 'nvlink' | 'ici' | 'infinity-fabric' | 'unified-bus' | 'pcie'

/** An accelerator as it is written down: figures of the maker, and those of the book that differ or add. */
export interface AcceleratorSpec<Name extends string = string, Alias extends string = string> {
  readonly name: Name
  readonly aliases: readonly Alias[]
  readonly title: string
  readonly vendor: 'nvidia' | 'google' | 'amd' | 'huawei'
  readonly kind: 'gpu' | 'tpu' | 'npu'
  readonly scaleUp: ScaleUp
  /** The torus that its links form; absent for devices behind a switch, in a full mesh or on PCIe. */
  readonly pod?: Pod
  readonly figures: { readonly vendor: Figures; readonly book?: Figures }
}

/** Keeps the literal types of the names, so that the registry can derive their union. */
export const defineAccelerator = <const Name extends string, const Alias extends string = never>(
  spec: Omit<AcceleratorSpec<Name, Alias>, 'aliases'> & { readonly aliases?: readonly Alias[] },
): AcceleratorSpec<Name, Alias> => ({ ...spec, aliases: spec.aliases ?? [] })

type Numbers = { readonly [Key in Exclude<keyof Figures, 'flopsPerSecond'>]-?: number | undefined }

/**
 * An accelerator under one profile: plain numbers in SI units for arithmetic, and `figures` with their units and
 * sources. Compute, memory size and memory bandwidth are always there; the rest is undefined where no source gives it.
 */
export interface Accelerator extends Omit<Numbers, 'hbmBytes' | 'hbmBytesPerSecond'> {
  readonly name: string
  readonly title: string
  readonly vendor: AcceleratorSpec['vendor']
  readonly kind: AcceleratorSpec['kind']
  readonly scaleUp: ScaleUp
  /** Dimensions of its pod's torus; undefined for devices that form none. */
  readonly torusDimensions: 2 | 3 | undefined
  readonly pod: Pod | undefined
  readonly profile: Profile
  readonly flopsPerSecond: Readonly<Partial<Record<ComputeDtype, number>>>
  readonly hbmBytes: number
  readonly hbmBytesPerSecond: number
  /** Egress of one device over all its scale-up links, one direction: links x link. */
  readonly scaleUpBytesPerSecond: number | undefined
  readonly figures: Figures
}

/** A figure that a calculation needs and no source here gives. */
export class MissingFigure extends Error {
  readonly _tag = 'MissingFigure'
  readonly accelerator: string
  readonly figure: string

  constructor(accelerator: string, figure: string, advice: string) {
    super(`${accelerator} has no ${figure}. ${advice}`)
    this.name = 'MissingFigure'
    this.accelerator = accelerator
    this.figure = figure
  }
}

const merge = (first: Figures, second: Figures | undefined): Figures => ({
  ...second,
  ...first,
  flopsPerSecond: { ...second?.flopsPerSecond, ...first.flopsPerSecond },
})

const required = (spec: AcceleratorSpec, figures: Figures, key: 'hbmBytes' | 'hbmBytesPerSecond'): number => {
  const found = figures[key]
  if (found === undefined) throw new MissingFigure(spec.name, key, 'Add it to the figures of the accelerator.')
  return found.value
}

/**
 * The accelerator under a profile: a figure comes from that profile, else from the other one (its source says so).
 * Throws `MissingFigure` when memory size or bandwidth is given by neither.
 */
export const underProfile = (spec: AcceleratorSpec, profile: Profile = 'vendor'): Accelerator => {
  const { vendor, book } = spec.figures
  const figures = profile === 'vendor' ? merge(vendor, book) : merge(book ?? {}, vendor)
  const flopsPerSecond: Partial<Record<ComputeDtype, number>> = {}
  for (const [dtype, peak] of Object.entries(figures.flopsPerSecond ?? {}))
    flopsPerSecond[dtype as ComputeDtype] = peak.value
  const links = figures.scaleUpLinks?.value
  const link = figures.scaleUpLinkBytesPerSecond?.value
  return {
    name: spec.name,
    title: spec.title,
    vendor: spec.vendor,
    kind: spec.kind,
    scaleUp: spec.scaleUp,
    torusDimensions: spec.pod === undefined ? undefined : spec.pod.shape.length === 2 ? 2 : 3,
    pod: spec.pod,
    profile,
    flopsPerSecond,
    ...numbers(figures),
    hbmBytes: required(spec, figures, 'hbmBytes'),
    hbmBytesPerSecond: required(spec, figures, 'hbmBytesPerSecond'),
    scaleUpBytesPerSecond: links === undefined || link === undefined ? undefined : links * link,
    figures,
  }
}

const numbers = (figures: Figures): Omit<Numbers, 'hbmBytes' | 'hbmBytesPerSecond'> => ({
  vectorFlopsPerSecond: figures.vectorFlopsPerSecond?.value,
  usableHbmBytes: figures.usableHbmBytes?.value,
  l2Bytes: figures.l2Bytes?.value,
  l2BytesPerSecond: figures.l2BytesPerSecond?.value,
  vmemBytes: figures.vmemBytes?.value,
  vmemBytesPerSecond: figures.vmemBytesPerSecond?.value,
  smemBytesPerSm: figures.smemBytesPerSm?.value,
  tmemBytesPerSm: figures.tmemBytesPerSm?.value,
  registerBytesPerUnit: figures.registerBytesPerUnit?.value,
  baseClockHz: figures.baseClockHz?.value,
  clockHz: figures.clockHz?.value,
  smCount: figures.smCount?.value,
  tensorCoreCount: figures.tensorCoreCount?.value,
  coresPerDevice: figures.coresPerDevice?.value,
  mxuCount: figures.mxuCount?.value,
  mxuSide: figures.mxuSide?.value,
  vectorAlusPerLane: figures.vectorAlusPerLane?.value,
  powerWatts: figures.powerWatts?.value,
  priceUsdPerHour: figures.priceUsdPerHour?.value,
  scaleUpLinks: figures.scaleUpLinks?.value,
  scaleUpLinkBytesPerSecond: figures.scaleUpLinkBytesPerSecond?.value,
  scaleUpHopSeconds: figures.scaleUpHopSeconds?.value,
  hostBytesPerSecond: figures.hostBytesPerSecond?.value,
  dcnBytesPerSecond: figures.dcnBytesPerSecond?.value,
})

/** Dense peak for an element type, FLOP/s. Throws `UnknownName` that lists the types this accelerator multiplies. */
export const peakFlopsPerSecond = (accelerator: Accelerator, dtype: ComputeDtype): number => {
  const found = accelerator.flopsPerSecond[dtype]
  if (found === undefined)
    throw new UnknownName(`matrix dtype of ${accelerator.name}`, dtype, Object.keys(accelerator.flopsPerSecond))
  return found
}

/** Memory a program can have: what the driver reports where that is known, else the nominal size. Bytes. */
export const programHbmBytes = (accelerator: Accelerator): number => accelerator.usableHbmBytes ?? accelerator.hbmBytes

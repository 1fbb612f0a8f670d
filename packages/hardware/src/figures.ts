import type { ComputeDtype } from './computeDtype.ts'
import type { Quantity } from './quantity.ts'

/**
 * What is known of an accelerator, one device as software sees it (a GPU, or a TPU chip). Peaks are dense. A field that
 * no source gives is absent.
 */
export interface Figures {
  /** Peak matrix FLOP/s (OP/s for integers), dense, by element type. */
  readonly flopsPerSecond?: Readonly<Partial<Record<ComputeDtype, Quantity<'FLOP/s'>>>>
  /** Peak fp32 FLOP/s of the vector unit or CUDA cores; a fused multiply-add counts two where the source says so. */
  readonly vectorFlopsPerSecond?: Quantity<'FLOP/s'>
  /** Nominal memory. */
  readonly hbmBytes?: Quantity<'B'>
  /** Memory that the driver reports as total to a program, error correction and reserves taken off. */
  readonly usableHbmBytes?: Quantity<'B'>
  readonly hbmBytesPerSecond?: Quantity<'B/s'>
  readonly l2Bytes?: Quantity<'B'>
  readonly l2BytesPerSecond?: Quantity<'B/s'>
  /** Scratchpad of a TPU, whole chip. */
  readonly vmemBytes?: Quantity<'B'>
  readonly vmemBytesPerSecond?: Quantity<'B/s'>
  /** Shared memory (with L1) of one SM. */
  readonly smemBytesPerSm?: Quantity<'B'>
  /** Tensor memory of one SM. */
  readonly tmemBytesPerSm?: Quantity<'B'>
  /** Register file: of one SM, or the vector registers of one TPU core. */
  readonly registerBytesPerUnit?: Quantity<'B'>
  readonly baseClockHz?: Quantity<'Hz'>
  /** The clock behind the peaks: boost of a GPU, the one clock of a TPU. */
  readonly clockHz?: Quantity<'Hz'>
  /** Streaming multiprocessors, compute units or AI cores of the device. */
  readonly smCount?: Quantity<'1'>
  /** Tensor cores or their like on the device (matrix units of a GPU). */
  readonly tensorCoreCount?: Quantity<'1'>
  /** Cores of a TPU chip. */
  readonly coresPerDevice?: Quantity<'1'>
  /** Matrix units of the TPU chip, and the side of their square array. */
  readonly mxuCount?: Quantity<'1'>
  readonly mxuSide?: Quantity<'1'>
  /** Vector ALUs per lane of one TPU core. */
  readonly vectorAlusPerLane?: Quantity<'1'>
  readonly powerWatts?: Quantity<'W'>
  readonly priceUsdPerHour?: Quantity<'USD/h'>
  /** Scale-up links of one device (NVLink, ICI, Infinity Fabric, UB; PCIe where there is none). */
  readonly scaleUpLinks?: Quantity<'1'>
  /** One such link, one direction. */
  readonly scaleUpLinkBytesPerSecond?: Quantity<'B/s'>
  /** Time to the nearest neighbour over one link. */
  readonly scaleUpHopSeconds?: Quantity<'s'>
  /** To the host, each direction: PCIe, or NVLink-C2C where there is that. */
  readonly hostBytesPerSecond?: Quantity<'B/s'>
  /** Share of this device in the data-centre network, egress. */
  readonly dcnBytesPerSecond?: Quantity<'B/s'>
}

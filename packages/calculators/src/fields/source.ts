/** Figures of the source's hardware, which stand where an input is left out. SI units. */

/** H100 SXM: NVIDIA data sheet, as the source has it. */
export const h100 = {
  capacityBytes: 80e9,
  hbmBytesPerSecond: 3.35e12,
  flopsPerSecond: 989.4e12,
  /** NVLink 4, one direction. */
  linkBytesPerSecond: 450e9,
  /** One round over NVLink, measured by MSCCL++. */
  alphaSeconds: 8.22e-7,
} as const

/** Activations and workspace set aside on each card: 2 GiB. */
export const WORKSPACE_BYTES = 2147483648

/** One token of a hidden size of 5,120 in BF16, which is what each reduction of Qwen3-32B adds up: 10 KiB. */
export const REDUCTION_BYTES = 10240

/** DGX H100, the whole system. */
export const dgxH100 = { cards: 8, watts: 10200 } as const

/** TPU v4: one direction of one ICI link, bytes/s. */
export const ICI = 50e9

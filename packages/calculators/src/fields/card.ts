import { bandwidth, bytes, degree, quantity, seconds, withDefault } from './field.ts'
import { h100, WORKSPACE_BYTES } from './source.ts'

/** Inputs that many calculators share. Where left out they are those of an H100 SXM. */
export const hbm = withDefault(bandwidth('HBM bandwidth of one card.'), h100.hbmBytesPerSecond)
export const peak = withDefault(
  quantity('FLOP/s', 'Dense peak of one card for the data type.', { above: 0 }),
  h100.flopsPerSecond,
)
export const capacity = withDefault(
  quantity('B', 'Memory of one card that the task may use.', { above: 0 }),
  h100.capacityBytes,
)
export const workspace = withDefault(bytes('Activations and workspace set aside on each card.'), WORKSPACE_BYTES)
export const link = withDefault(bandwidth('One direction of one card to the others.'), h100.linkBytesPerSecond)
export const alpha = withDefault(seconds('Start-up time of one round.'), h100.alphaSeconds)
export const elementBytes = withDefault(quantity('B', 'Bytes of one element; 2 for BF16.', { above: 0 }), 2)
export const tp = degree('Cards of the tensor-parallel group.')

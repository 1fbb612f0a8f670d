import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { pod3d } from '../slices/pod.ts'
import { chapter2, iciHop } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, TPU7x (Ironwood)')

export const tpuV7 = defineAccelerator({
  name: 'tpu-v7',
  aliases: ['tpu7x', 'tpu-v7x', 'ironwood'],
  title: 'Google TPU v7 Ironwood (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: pod3d(
    [16, 16, 36],
    'Google Cloud TPU documentation, 9,216 chips; chapter 2 of How To Scale Your Model prints 4 x 4 x 576',
  ),
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(2307e12), fp8: docs.flops(4614e12) },
      hbmBytes: docs.bytes(192 * GiB),
      hbmBytesPerSecond: docs.bytesPerSecond(7.38e12),
      coresPerDevice: docs.count(2),
      scaleUpLinks: docs.count(6),
      scaleUpLinkBytesPerSecond: from(
        'Google Cloud, 1,200 GB/s per chip in both directions over 6 links',
      ).bytesPerSecond(100e9),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(2300e12), int8: chapter2.flops(4610e12) },
      hbmBytes: chapter2.bytes(192e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(7.4e12),
      coresPerDevice: chapter2.count(2),
      scaleUpLinks: chapter2.count(6),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(90e9),
      scaleUpHopSeconds: iciHop,
      dcnBytesPerSecond: chapter2.bytesPerSecond(12.5e9),
    },
  },
})

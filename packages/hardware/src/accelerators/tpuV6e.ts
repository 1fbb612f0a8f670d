import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'
import { pod2d } from '../slices/pod.ts'
import { chapter2, iciHop } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v6e')

export const tpuV6e = defineAccelerator({
  name: 'tpu-v6e',
  aliases: ['v6e', 'trillium'],
  title: 'Google TPU v6e Trillium (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: pod2d('How To Scale Your Model, chapter 2 (TPUs)'),
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(918e12), int8: docs.flops(1836e12) },
      hbmBytes: docs.bytes(32e9),
      hbmBytesPerSecond: docs.bytesPerSecond(1.638e12),
      coresPerDevice: docs.count(1),
      mxuCount: docs.count(2),
      mxuSide: docs.count(256),
      scaleUpLinks: docs.count(4),
      scaleUpLinkBytesPerSecond: from('Google Cloud, 800 GB/s per chip in both directions over 4 links').bytesPerSecond(
        100e9,
      ),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(920e12), int8: chapter2.flops(1840e12) },
      hbmBytes: chapter2.bytes(32e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(1.6e12),
      mxuSide: chapter2.count(256),
      scaleUpLinks: chapter2.count(4),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(90e9),
      scaleUpHopSeconds: iciHop,
      hostBytesPerSecond: chapter2.bytesPerSecond(32e9),
      dcnBytesPerSecond: chapter2.bytesPerSecond(12.5e9),
    },
  },
})

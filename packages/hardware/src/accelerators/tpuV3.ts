import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { chapter2, iciHop } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v3')

export const tpuV3 = defineAccelerator({
  name: 'tpu-v3',
  title: 'Google TPU v3 (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: {
    shape: [32, 32],
    hostShape: [4, 2],
    smallSlices: [
      [2, 2],
      [4, 4],
      [4, 8],
      [8, 8],
      [8, 16],
      [16, 16],
      [16, 32],
      [32, 32],
    ],
    source: 'How To Scale Your Model, chapter 2 (TPUs); slices from Google Cloud TPU documentation',
  },
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(123e12) },
      hbmBytes: docs.bytes(32 * GiB),
      hbmBytesPerSecond: docs.bytesPerSecond(900e9),
      clockHz: docs.hertz(0.94e9),
      coresPerDevice: docs.count(2),
      mxuCount: docs.count(4),
      mxuSide: docs.count(128),
      powerWatts: from('Google Cloud TPU documentation, v3, highest measured').watts(262),
      scaleUpLinks: docs.count(4),
      scaleUpLinkBytesPerSecond: from('Google, 656 Gbit/s per link').bytesPerSecond(82e9),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(140e12), int8: chapter2.flops(140e12) },
      hbmBytes: chapter2.bytes(32e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(900e9),
      coresPerDevice: chapter2.count(2),
      mxuCount: chapter2.count(4),
      mxuSide: chapter2.count(128),
      scaleUpLinks: chapter2.count(4),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(100e9),
      scaleUpHopSeconds: iciHop,
    },
  },
})

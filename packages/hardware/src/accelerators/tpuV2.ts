import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { chapter2, chapter9, iciHop } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v2')

export const tpuV2 = defineAccelerator({
  name: 'tpu-v2',
  title: 'Google TPU v2 (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: {
    shape: [16, 16],
    hostShape: [2, 2],
    smallSlices: [
      [2, 2],
      [4, 4],
      [4, 8],
      [8, 8],
      [8, 16],
      [16, 16],
    ],
    source: 'Google Cloud TPU documentation, v2',
  },
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(45e12) },
      hbmBytes: docs.bytes(16 * GiB),
      hbmBytesPerSecond: docs.bytesPerSecond(700e9),
      clockHz: docs.hertz(0.7e9),
      coresPerDevice: docs.count(2),
      mxuCount: docs.count(2),
      mxuSide: docs.count(128),
      powerWatts: docs.watts(280),
      scaleUpLinks: docs.count(4),
      scaleUpLinkBytesPerSecond: from('Google, 496 Gbit/s per link').bytesPerSecond(62e9),
    },
    book: {
      flopsPerSecond: { bf16: from('How To Scale Your Model, chapter 9: 23e12 for each of 2 cores').flops(46e12) },
      coresPerDevice: chapter2.count(2),
      scaleUpLinks: chapter2.count(4),
      scaleUpLinkBytesPerSecond: chapter9.bytesPerSecond(60e9),
      scaleUpHopSeconds: iciHop,
    },
  },
})

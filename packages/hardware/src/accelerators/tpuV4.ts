import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { pod3d } from '../slices/pod.ts'
import { chapter2, iciHop, vectorRegisters } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v4')

export const tpuV4 = defineAccelerator({
  name: 'tpu-v4',
  aliases: ['tpu-v4p', 'v4p'],
  title: 'Google TPU v4 (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: pod3d([16, 16, 16], 'How To Scale Your Model, chapter 2 (TPUs)'),
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(275e12), int8: docs.flops(275e12) },
      hbmBytes: docs.bytes(32 * GiB),
      hbmBytesPerSecond: docs.bytesPerSecond(1.2e12),
      clockHz: docs.hertz(1.05e9),
      coresPerDevice: docs.count(2),
      mxuCount: docs.count(8),
      mxuSide: docs.count(128),
      powerWatts: from('Google Cloud TPU documentation, v4, highest measured').watts(192),
      scaleUpLinks: docs.count(6),
      scaleUpLinkBytesPerSecond: docs.bytesPerSecond(50e9),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(275e12), int8: chapter2.flops(275e12) },
      hbmBytes: chapter2.bytes(32e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(1.2e12),
      registerBytesPerUnit: vectorRegisters(32),
      coresPerDevice: chapter2.count(2),
      mxuCount: chapter2.count(8),
      mxuSide: chapter2.count(128),
      vectorAlusPerLane: chapter2.count(2),
      scaleUpLinks: chapter2.count(6),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(45e9),
      scaleUpHopSeconds: iciHop,
      hostBytesPerSecond: chapter2.bytesPerSecond(16e9),
    },
  },
})

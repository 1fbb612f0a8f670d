import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'
import { pod3d } from '../slices/pod.ts'
import { chapter2, chapter8, chapter12, iciHop, vectorRegisters, vmemBandwidth } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v5p')

export const tpuV5p = defineAccelerator({
  name: 'tpu-v5p',
  aliases: ['v5p', 'tpuv5p'],
  title: 'Google TPU v5p (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: pod3d([16, 20, 28], 'How To Scale Your Model, chapter 2 (TPUs)'),
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(459e12), int8: docs.flops(918e12) },
      hbmBytes: docs.bytes(95e9),
      hbmBytesPerSecond: docs.bytesPerSecond(2.765e12),
      coresPerDevice: docs.count(2),
      mxuCount: docs.count(8),
      mxuSide: docs.count(128),
      scaleUpLinks: docs.count(6),
      scaleUpLinkBytesPerSecond: from(
        'Google Cloud, 1,200 GB/s per chip in both directions over 6 links',
      ).bytesPerSecond(100e9),
      dcnBytesPerSecond: from('Google Cloud, 50 Gbit/s per chip').bytesPerSecond(6.25e9),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(459e12), int8: chapter2.flops(918e12) },
      vectorFlopsPerSecond: from('How To Scale Your Model, chapter 2: 8 x 128 x 4 ALUs x 1.75 GHz, 2 cores').flops(
        2 * 8 * 128 * 4 * 1.75e9,
      ),
      hbmBytes: chapter2.bytes(96e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(2.8e12),
      vmemBytes: chapter12.bytes(128e6),
      vmemBytesPerSecond: vmemBandwidth(2.8e12),
      registerBytesPerUnit: vectorRegisters(64),
      clockHz: chapter2.hertz(1.75e9),
      coresPerDevice: chapter2.count(2),
      mxuCount: chapter12.count(8),
      mxuSide: chapter2.count(128),
      vectorAlusPerLane: chapter2.count(4),
      priceUsdPerHour: chapter8.usdPerHour(4.2),
      scaleUpLinks: chapter2.count(6),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(90e9),
      scaleUpHopSeconds: iciHop,
      hostBytesPerSecond: chapter2.bytesPerSecond(16e9),
      dcnBytesPerSecond: chapter2.bytesPerSecond(6.25e9),
    },
  },
})

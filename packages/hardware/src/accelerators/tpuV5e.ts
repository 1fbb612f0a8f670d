import { defineAccelerator } from '../accelerator.ts'
import { from, GiB, MiB } from '../quantity.ts'
import { pod2d } from '../slices/pod.ts'
import { chapter2, chapter8, iciHop, vmemBandwidth } from './bookTables.ts'

const docs = from('Google Cloud TPU documentation, v5e')

export const tpuV5e = defineAccelerator({
  name: 'tpu-v5e',
  aliases: ['v5e', 'tpuv5e', 'tpu-v5-lite'],
  title: 'Google TPU v5e (chip)',
  vendor: 'google',
  kind: 'tpu',
  scaleUp: 'ici',
  pod: pod2d(
    'How To Scale Your Model, chapter 2 (TPUs)',
    from('How To Scale Your Model, chapter 7 (Inference): 450 GiB; Google Cloud says 512').bytes(450 * GiB),
  ),
  figures: {
    vendor: {
      flopsPerSecond: { bf16: docs.flops(197e12), int8: docs.flops(393e12) },
      hbmBytes: docs.bytes(16 * GiB),
      hbmBytesPerSecond: docs.bytesPerSecond(819e9),
      coresPerDevice: docs.count(1),
      mxuCount: docs.count(4),
      mxuSide: docs.count(128),
      scaleUpLinks: docs.count(4),
      scaleUpLinkBytesPerSecond: from('Google Cloud, 400 GB/s per chip in both directions over 4 links').bytesPerSecond(
        50e9,
      ),
    },
    book: {
      flopsPerSecond: { bf16: chapter2.flops(197e12), int8: chapter2.flops(394e12) },
      hbmBytes: chapter2.bytes(16e9),
      hbmBytesPerSecond: chapter2.bytesPerSecond(8.2e11),
      vmemBytes: chapter2.bytes(128 * MiB),
      vmemBytesPerSecond: vmemBandwidth(8.2e11),
      clockHz: chapter2.hertz(1.5e9),
      coresPerDevice: chapter2.count(1),
      mxuCount: chapter2.count(4),
      mxuSide: chapter2.count(128),
      priceUsdPerHour: chapter8.usdPerHour(1.2),
      scaleUpLinks: chapter2.count(4),
      scaleUpLinkBytesPerSecond: chapter2.bytesPerSecond(45e9),
      scaleUpHopSeconds: iciHop,
      hostBytesPerSecond: chapter2.bytesPerSecond(16e9),
      dcnBytesPerSecond: chapter2.bytesPerSecond(3.125e9),
    },
  },
})

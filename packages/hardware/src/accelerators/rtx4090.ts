import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'

const sheet = from('NVIDIA Ada GPU architecture white paper, RTX 4090, dense, fp32 accumulation')

export const rtx4090 = defineAccelerator({
  name: 'rtx-4090',
  aliases: ['rtx4090'],
  title: 'NVIDIA GeForce RTX 4090 24 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'pcie',
  figures: {
    vendor: {
      flopsPerSecond: {
        bf16: sheet.flops(165.2e12),
        fp16: sheet.flops(165.2e12),
        tf32: sheet.flops(82.6e12),
        fp8: sheet.flops(330.3e12),
        int8: sheet.flops(660.6e12),
        int4: sheet.flops(1321.2e12),
      },
      vectorFlopsPerSecond: sheet.flops(82.6e12),
      hbmBytes: sheet.bytes(24e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 23.52 GiB').bytes(23.52 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(1.008e12),
      l2Bytes: sheet.bytes(72e6),
      clockHz: sheet.hertz(2.52e9),
      smCount: sheet.count(128),
      tensorCoreCount: sheet.count(512),
      powerWatts: sheet.watts(450),
      scaleUpLinks: sheet.count(1),
      scaleUpLinkBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
      hostBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
    },
  },
})

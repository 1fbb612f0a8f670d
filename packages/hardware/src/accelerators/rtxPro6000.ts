import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'

const sheet = from('NVIDIA RTX PRO 6000 Blackwell Server Edition data sheet, dense')

export const rtxPro6000 = defineAccelerator({
  name: 'rtx-pro-6000',
  aliases: ['rtxpro6000', 'rtx-pro-6000-server'],
  title: 'NVIDIA RTX PRO 6000 Blackwell Server Edition 96 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'pcie',
  figures: {
    vendor: {
      flopsPerSecond: {
        bf16: sheet.flops(467.8e12),
        fp16: sheet.flops(467.8e12),
        fp8: sheet.flops(935.6e12),
        fp4: sheet.flops(1871e12),
      },
      vectorFlopsPerSecond: sheet.flops(117e12),
      hbmBytes: sheet.bytes(96e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 94.97 GiB').bytes(94.97 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(1.792e12),
      l2Bytes: sheet.bytes(128e6),
      smCount: sheet.count(188),
      tensorCoreCount: sheet.count(752),
      powerWatts: sheet.watts(600),
      scaleUpLinks: sheet.count(1),
      scaleUpLinkBytesPerSecond: from('PCIe 5.0 x16').bytesPerSecond(64e9),
      hostBytesPerSecond: from('PCIe 5.0 x16').bytesPerSecond(64e9),
    },
  },
})

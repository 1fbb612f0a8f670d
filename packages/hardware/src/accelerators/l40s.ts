import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'

const sheet = from('NVIDIA L40S data sheet, dense')

export const l40s = defineAccelerator({
  name: 'l40s',
  title: 'NVIDIA L40S 48 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'pcie',
  figures: {
    vendor: {
      flopsPerSecond: {
        bf16: sheet.flops(362e12),
        fp16: sheet.flops(362e12),
        tf32: sheet.flops(183e12),
        fp8: sheet.flops(733e12),
        int8: sheet.flops(733e12),
      },
      vectorFlopsPerSecond: sheet.flops(91.6e12),
      hbmBytes: sheet.bytes(48e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 44.4 GiB').bytes(44.4 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(864e9),
      l2Bytes: sheet.bytes(96e6),
      smCount: sheet.count(142),
      tensorCoreCount: sheet.count(568),
      powerWatts: sheet.watts(350),
      scaleUpLinks: sheet.count(1),
      scaleUpLinkBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
      hostBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
    },
  },
})

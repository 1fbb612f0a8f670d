import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { chapter8, chapter12 } from './bookTables.ts'
import { hopperBook, hopperChip } from './hopper.ts'

const sheet = from('NVIDIA H100 data sheet, dense')
const { scaleUpHopSeconds: _overNvlink, ...pcieChip } = hopperChip

export const h100Sxm = defineAccelerator({
  name: 'h100-sxm',
  aliases: ['h100', 'h100-80gb', 'h100-80gb-sxm', 'h100-80gb-hbm3', 'h100-sxm5-80gb'],
  title: 'NVIDIA H100 SXM5 80 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...hopperChip,
      hbmBytes: sheet.bytes(80e9),
      usableHbmBytes: from('Total memory that PyTorch and vLLM report on this board, 79.19 GiB').bytes(79.19 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(3.35e12),
    },
    book: {
      ...hopperBook,
      hbmBytes: chapter12.bytes(80e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(3.4e12),
      priceUsdPerHour: chapter8.usdPerHour(10.8),
    },
  },
})

export const h100Pcie = defineAccelerator({
  name: 'h100-pcie',
  title: 'NVIDIA H100 PCIe 80 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'pcie',
  figures: {
    vendor: {
      ...pcieChip,
      flopsPerSecond: {
        bf16: sheet.flops(756e12),
        fp16: sheet.flops(756e12),
        tf32: sheet.flops(378e12),
        fp8: sheet.flops(1513e12),
        int8: sheet.flops(1513e12),
      },
      vectorFlopsPerSecond: sheet.flops(51e12),
      hbmBytes: sheet.bytes(80e9),
      hbmBytesPerSecond: sheet.bytesPerSecond(2e12),
      clockHz: sheet.hertz(1.755e9),
      smCount: sheet.count(114),
      tensorCoreCount: sheet.count(456),
      powerWatts: sheet.watts(350),
      scaleUpLinks: sheet.count(1),
      scaleUpLinkBytesPerSecond: from('PCIe 5.0 x16').bytesPerSecond(64e9),
    },
  },
})

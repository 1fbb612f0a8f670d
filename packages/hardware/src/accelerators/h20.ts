import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'
import { hopperChip } from './hopper.ts'

const sheet = from('NVIDIA H20 data sheet, dense')

export const h20 = defineAccelerator({
  name: 'h20',
  aliases: ['h20-sxm', 'h20-96gb'],
  title: 'NVIDIA H20 96 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...hopperChip,
      flopsPerSecond: {
        bf16: sheet.flops(148e12),
        fp16: sheet.flops(148e12),
        tf32: sheet.flops(74e12),
        fp8: sheet.flops(296e12),
        int8: sheet.flops(296e12),
      },
      vectorFlopsPerSecond: sheet.flops(44e12),
      hbmBytes: sheet.bytes(96e9),
      hbmBytesPerSecond: sheet.bytesPerSecond(4e12),
      l2Bytes: sheet.bytes(60e6),
      smCount: sheet.count(78),
      tensorCoreCount: sheet.count(312),
      powerWatts: sheet.watts(400),
    },
  },
})

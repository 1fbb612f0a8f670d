import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'
import { chapter12, smRegisters } from './bookTables.ts'

const sheet = from('NVIDIA V100 data sheet, SXM2 32 GB')

export const v100Sxm = defineAccelerator({
  name: 'v100-sxm',
  aliases: ['v100', 'v100-sxm2-32gb'],
  title: 'NVIDIA V100 SXM2 32 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      flopsPerSecond: { fp16: sheet.flops(125e12) },
      vectorFlopsPerSecond: sheet.flops(15.7e12),
      hbmBytes: sheet.bytes(32e9),
      hbmBytesPerSecond: sheet.bytesPerSecond(900e9),
      l2Bytes: sheet.bytes(6e6),
      clockHz: sheet.hertz(1.53e9),
      smCount: sheet.count(80),
      tensorCoreCount: sheet.count(640),
      powerWatts: sheet.watts(300),
      scaleUpLinks: sheet.count(6),
      scaleUpLinkBytesPerSecond: sheet.bytesPerSecond(25e9),
      hostBytesPerSecond: sheet.bytesPerSecond(16e9),
    },
    book: {
      hbmBytes: chapter12.bytes(32e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(900e9),
      l2Bytes: chapter12.bytes(6e6),
      smemBytesPerSm: chapter12.bytes(96e3),
      registerBytesPerUnit: smRegisters,
      baseClockHz: chapter12.hertz(1.25e9),
      clockHz: chapter12.hertz(1.38e9),
      smCount: chapter12.count(80),
    },
  },
})

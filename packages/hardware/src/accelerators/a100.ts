import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { chapter12, smRegisters } from './bookTables.ts'

const sheet = from('NVIDIA A100 data sheet, dense')

const chip = {
  flopsPerSecond: {
    bf16: sheet.flops(312e12),
    fp16: sheet.flops(312e12),
    tf32: sheet.flops(156e12),
    int8: sheet.flops(624e12),
    int4: sheet.flops(1248e12),
  },
  vectorFlopsPerSecond: sheet.flops(19.5e12),
  l2Bytes: sheet.bytes(40e6),
  smemBytesPerSm: sheet.bytes(192e3),
  clockHz: sheet.hertz(1.41e9),
  smCount: sheet.count(108),
  tensorCoreCount: sheet.count(432),
  scaleUpLinks: sheet.count(12),
  scaleUpLinkBytesPerSecond: sheet.bytesPerSecond(25e9),
  hostBytesPerSecond: sheet.bytesPerSecond(32e9),
}

export const a100Sxm80 = defineAccelerator({
  name: 'a100-sxm-80gb',
  aliases: ['a100', 'a100-80gb', 'a100-sxm', 'a100-80gb-sxm', 'a100-sxm4-80gb'],
  title: 'NVIDIA A100 SXM4 80 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...chip,
      hbmBytes: sheet.bytes(80e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 79.25 GiB').bytes(79.25 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(2.039e12),
      powerWatts: sheet.watts(400),
    },
    book: {
      flopsPerSecond: { bf16: chapter12.flops(310e12), fp16: chapter12.flops(310e12), int8: chapter12.flops(620e12) },
      hbmBytes: chapter12.bytes(80e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(2e12),
      l2Bytes: chapter12.bytes(40e6),
      smemBytesPerSm: chapter12.bytes(192e3),
      registerBytesPerUnit: smRegisters,
      baseClockHz: chapter12.hertz(1.1e9),
      clockHz: chapter12.hertz(1.41e9),
      smCount: chapter12.count(108),
    },
  },
})

export const a100Sxm40 = defineAccelerator({
  name: 'a100-sxm-40gb',
  aliases: ['a100-40gb'],
  title: 'NVIDIA A100 SXM4 40 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...chip,
      hbmBytes: sheet.bytes(40e9),
      hbmBytesPerSecond: sheet.bytesPerSecond(1.555e12),
      powerWatts: sheet.watts(400),
    },
  },
})

export const a100Pcie80 = defineAccelerator({
  name: 'a100-pcie-80gb',
  aliases: ['a100-pcie'],
  title: 'NVIDIA A100 PCIe 80 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'pcie',
  figures: {
    vendor: {
      ...chip,
      hbmBytes: sheet.bytes(80e9),
      hbmBytesPerSecond: sheet.bytesPerSecond(1.935e12),
      powerWatts: sheet.watts(300),
      scaleUpLinks: sheet.count(1),
      scaleUpLinkBytesPerSecond: sheet.bytesPerSecond(32e9),
    },
  },
})

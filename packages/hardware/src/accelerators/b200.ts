import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { blackwellChip, chipToChip, pcie5 } from './blackwell.ts'
import { chapter12, smRegisters } from './bookTables.ts'

const hgx = from('NVIDIA HGX B200 data sheet, dense')
const grace = from('NVIDIA GB200 NVL72 data sheet, dense, per GPU')

export const b200Sxm = defineAccelerator({
  name: 'b200-sxm',
  aliases: ['b200', 'b200-192gb'],
  title: 'NVIDIA B200 SXM',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...blackwellChip,
      flopsPerSecond: {
        bf16: hgx.flops(2250e12),
        fp16: hgx.flops(2250e12),
        tf32: hgx.flops(1125e12),
        fp8: hgx.flops(4500e12),
        int8: hgx.flops(4500e12),
        fp4: hgx.flops(9000e12),
      },
      hbmBytes: from('NVIDIA B200, 192 GB of HBM3E, of which systems expose 180 to 192').bytes(192e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 178.35 GiB').bytes(178.35 * GiB),
      smCount: hgx.count(148),
      tensorCoreCount: hgx.count(592),
      powerWatts: hgx.watts(1000),
      hostBytesPerSecond: pcie5,
    },
    book: {
      flopsPerSecond: {
        bf16: chapter12.flops(2.3e15),
        fp16: chapter12.flops(2.3e15),
        fp8: chapter12.flops(4.5e15),
        int8: chapter12.flops(4.5e15),
        fp4: chapter12.flops(9e15),
      },
      vectorFlopsPerSecond: chapter12.flops(80e12),
      hbmBytes: chapter12.bytes(192e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(8e12),
      l2Bytes: chapter12.bytes(126e6),
      registerBytesPerUnit: smRegisters,
      clockHz: from('How To Scale Your Model, chapter 12, estimated in quiz 1').hertz(2.1e9),
      smCount: chapter12.count(148),
    },
  },
})

export const gb200 = defineAccelerator({
  name: 'gb200',
  aliases: ['gb200-nvl72'],
  title: 'NVIDIA GB200 (one GPU)',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...blackwellChip,
      flopsPerSecond: {
        bf16: grace.flops(2500e12),
        fp16: grace.flops(2500e12),
        tf32: grace.flops(1250e12),
        fp8: grace.flops(5000e12),
        int8: grace.flops(5000e12),
        fp4: grace.flops(10000e12),
      },
      hbmBytes: grace.bytes(186e9),
      smCount: grace.count(152),
      tensorCoreCount: grace.count(608),
      powerWatts: grace.watts(1200),
      hostBytesPerSecond: chipToChip,
    },
    book: {
      flopsPerSecond: {
        bf16: chapter12.flops(2.3e15),
        fp16: chapter12.flops(2.3e15),
        fp8: chapter12.flops(4.5e15),
        int8: chapter12.flops(4.5e15),
        fp4: chapter12.flops(9e15),
      },
      hbmBytes: chapter12.bytes(192e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(8e12),
    },
  },
})

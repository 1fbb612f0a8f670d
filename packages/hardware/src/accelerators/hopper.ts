import { from } from '../quantity.ts'
import { chapter12, smRegisters } from './bookTables.ts'

const sheet = from('NVIDIA H100 data sheet, SXM5, dense')

/** What H100, H200 and H800 in the SXM module share. */
export const hopperChip = {
  flopsPerSecond: {
    bf16: sheet.flops(989e12),
    fp16: sheet.flops(989e12),
    tf32: sheet.flops(494.5e12),
    fp8: sheet.flops(1979e12),
    int8: sheet.flops(1979e12),
  },
  vectorFlopsPerSecond: sheet.flops(67e12),
  l2Bytes: sheet.bytes(50e6),
  smemBytesPerSm: from('NVIDIA H100 architecture white paper: L1 and shared memory of one SM').bytes(256e3),
  clockHz: from('NVIDIA H100 SXM5, highest boost clock').hertz(1.98e9),
  smCount: sheet.count(132),
  tensorCoreCount: sheet.count(528),
  powerWatts: sheet.watts(700),
  scaleUpLinks: sheet.count(18),
  scaleUpLinkBytesPerSecond: sheet.bytesPerSecond(25e9),
  scaleUpHopSeconds: from('MSCCL++ measurement over NVLink, H100').seconds(0.822e-6),
  hostBytesPerSecond: from('PCIe 5.0 x16').bytesPerSecond(64e9),
} as const

/** The Hopper rows of chapter 12. */
export const hopperBook = {
  flopsPerSecond: {
    bf16: chapter12.flops(990e12),
    fp16: chapter12.flops(990e12),
    fp8: chapter12.flops(2e15),
    int8: chapter12.flops(2e15),
  },
  vectorFlopsPerSecond: from('How To Scale Your Model, chapter 12: boost clock, without FMA').flops(33.5e12),
  l2Bytes: chapter12.bytes(50e6),
  l2BytesPerSecond: from('How To Scale Your Model, chapter 12, measured').bytesPerSecond(5.5e12),
  smemBytesPerSm: chapter12.bytes(256e3),
  registerBytesPerUnit: smRegisters,
  baseClockHz: chapter12.hertz(1.59e9),
  clockHz: chapter12.hertz(1.98e9),
  smCount: chapter12.count(132),
} as const

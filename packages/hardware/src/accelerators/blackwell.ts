import { from } from '../quantity.ts'
import { chapter12, smRegisters } from './bookTables.ts'

const sheet = from('NVIDIA Blackwell data sheets (HGX B200, GB200, HGX B300, GB300)')

/** What the Blackwell data-centre parts share. */
export const blackwellChip = {
  l2Bytes: sheet.bytes(126e6),
  smemBytesPerSm: chapter12.bytes(256e3),
  tmemBytesPerSm: chapter12.bytes(256e3),
  registerBytesPerUnit: smRegisters,
  vectorFlopsPerSecond: from('NVIDIA B200, fp32 with FMA').flops(80e12),
  hbmBytesPerSecond: sheet.bytesPerSecond(8e12),
  scaleUpLinks: sheet.count(18),
  scaleUpLinkBytesPerSecond: sheet.bytesPerSecond(50e9),
} as const

export const pcie5 = from('PCIe 5.0 x16').bytesPerSecond(64e9)
export const pcie6 = from('PCIe 6.0 x16').bytesPerSecond(128e9)
export const chipToChip = from('NVLink-C2C to Grace: 900 GB/s in both directions').bytesPerSecond(450e9)

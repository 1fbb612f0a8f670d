import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { hopperChip } from './hopper.ts'

const sheet = from('NVIDIA H800 SXM: H100 with NVLink cut to 400 GB/s in both directions')
const book = from('How To Scale Your Model, chapters 4 and 12: the fp8 peak is that of the PCIe card')

export const h800Sxm = defineAccelerator({
  name: 'h800',
  aliases: ['h800-sxm'],
  title: 'NVIDIA H800 SXM 80 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...hopperChip,
      hbmBytes: sheet.bytes(80e9),
      usableHbmBytes: from('As the H100 of the same memory, 79.19 GiB').bytes(79.19 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(3.35e12),
      scaleUpLinks: sheet.count(8),
    },
    book: {
      flopsPerSecond: { fp8: book.flops(1513e12) },
      scaleUpLinks: book.count(12),
      scaleUpLinkBytesPerSecond: book.bytesPerSecond(25e9),
    },
  },
})

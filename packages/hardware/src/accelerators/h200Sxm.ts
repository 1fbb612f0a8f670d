import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'
import { chapter12 } from './bookTables.ts'
import { hopperBook, hopperChip } from './hopper.ts'

const sheet = from('NVIDIA H200 data sheet')

export const h200Sxm = defineAccelerator({
  name: 'h200-sxm',
  aliases: ['h200', 'h200-141gb', 'h200-sxm-141gb'],
  title: 'NVIDIA H200 SXM 141 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      ...hopperChip,
      hbmBytes: sheet.bytes(141e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 139.8 GiB').bytes(139.8 * GiB),
      hbmBytesPerSecond: sheet.bytesPerSecond(4.8e12),
    },
    book: {
      ...hopperBook,
      hbmBytes: chapter12.bytes(141e9),
      hbmBytesPerSecond: chapter12.bytesPerSecond(4.8e12),
      priceUsdPerHour: chapter12.usdPerHour(10),
    },
  },
})

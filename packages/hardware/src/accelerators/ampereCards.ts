import { defineAccelerator } from '../accelerator.ts'
import { from, GiB } from '../quantity.ts'

const a6000 = from('NVIDIA RTX A6000 data sheet, dense')
const a40Sheet = from('NVIDIA A40 data sheet, dense')

export const rtxA6000 = defineAccelerator({
  name: 'rtx-a6000',
  aliases: ['a6000'],
  title: 'NVIDIA RTX A6000 48 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      flopsPerSecond: { bf16: a6000.flops(155e12), fp16: a6000.flops(155e12), int8: a6000.flops(310e12) },
      vectorFlopsPerSecond: a6000.flops(38.7e12),
      hbmBytes: a6000.bytes(48e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 47.5 GiB').bytes(47.5 * GiB),
      hbmBytesPerSecond: a6000.bytesPerSecond(768e9),
      l2Bytes: a6000.bytes(6e6),
      clockHz: a6000.hertz(1.8e9),
      smCount: a6000.count(84),
      tensorCoreCount: a6000.count(336),
      powerWatts: a6000.watts(300),
      scaleUpLinks: from('NVLink bridge, pairs only').count(4),
      scaleUpLinkBytesPerSecond: from('NVLink bridge, pairs only: 56 GB/s over 4 links').bytesPerSecond(14e9),
      hostBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
    },
  },
})

export const a40 = defineAccelerator({
  name: 'a40',
  title: 'NVIDIA A40 48 GB',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  figures: {
    vendor: {
      flopsPerSecond: { bf16: a40Sheet.flops(150e12), fp16: a40Sheet.flops(150e12), int8: a40Sheet.flops(299e12) },
      vectorFlopsPerSecond: a40Sheet.flops(37.4e12),
      hbmBytes: a40Sheet.bytes(48e9),
      usableHbmBytes: from('Total memory that PyTorch reports on this board, 44.4 GiB').bytes(44.4 * GiB),
      hbmBytesPerSecond: a40Sheet.bytesPerSecond(696e9),
      l2Bytes: a40Sheet.bytes(6e6),
      clockHz: a40Sheet.hertz(1.74e9),
      smCount: a40Sheet.count(84),
      tensorCoreCount: a40Sheet.count(336),
      powerWatts: a40Sheet.watts(300),
      scaleUpLinks: from('NVLink bridge, pairs only').count(4),
      scaleUpLinkBytesPerSecond: from('NVLink bridge, pairs only: 56 GB/s over 4 links').bytesPerSecond(14e9),
      hostBytesPerSecond: from('PCIe 4.0 x16').bytesPerSecond(32e9),
    },
  },
})

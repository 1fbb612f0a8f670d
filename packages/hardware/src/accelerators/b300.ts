import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'
import { blackwellChip, chipToChip, pcie6 } from './blackwell.ts'

const hgx = from('NVIDIA HGX B300 data sheet, dense')
const grace = from('NVIDIA GB300 NVL72 data sheet, dense, per GPU')

export const b300Sxm = defineAccelerator({
  name: 'b300-sxm',
  aliases: ['b300'],
  title: 'NVIDIA B300 SXM',
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
        fp4: hgx.flops(13500e12),
      },
      hbmBytes: hgx.bytes(288e9),
      usableHbmBytes: from('NVIDIA HGX B300: about 270 of 288 GB usable').bytes(270e9),
      smCount: hgx.count(148),
      tensorCoreCount: hgx.count(592),
      powerWatts: hgx.watts(1400),
      hostBytesPerSecond: pcie6,
    },
  },
})

export const gb300 = defineAccelerator({
  name: 'gb300',
  aliases: ['gb300-nvl72'],
  title: 'NVIDIA GB300 (one GPU)',
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
        fp4: grace.flops(15000e12),
      },
      hbmBytes: grace.bytes(288e9),
      smCount: grace.count(152),
      tensorCoreCount: grace.count(608),
      powerWatts: grace.watts(1400),
      hostBytesPerSecond: chipToChip,
    },
  },
})

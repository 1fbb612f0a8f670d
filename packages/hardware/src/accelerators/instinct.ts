import { defineAccelerator } from '../accelerator.ts'
import { from } from '../quantity.ts'

const mi300 = from('AMD Instinct MI300X data sheet, dense')
const mi325 = from('AMD Instinct MI325X data sheet, dense')
const mi350 = from('AMD Instinct MI350X data sheet, dense')
const mi355 = from('AMD Instinct MI355X data sheet, dense')
const pcie5 = from('PCIe 5.0 x16').bytesPerSecond(64e9)

const cdna3 = {
  flopsPerSecond: {
    bf16: mi300.flops(1307e12),
    fp16: mi300.flops(1307e12),
    tf32: mi300.flops(653.7e12),
    fp8: mi300.flops(2615e12),
    int8: mi300.flops(2615e12),
  },
  vectorFlopsPerSecond: mi300.flops(163.4e12),
  l2Bytes: from('AMD Infinity Cache, the last level').bytes(256e6),
  clockHz: mi300.hertz(2.1e9),
  smCount: mi300.count(304),
  scaleUpLinks: mi300.count(7),
  scaleUpLinkBytesPerSecond: mi300.bytesPerSecond(64e9),
  hostBytesPerSecond: pcie5,
}

export const mi300x = defineAccelerator({
  name: 'mi300x',
  aliases: ['mi300'],
  title: 'AMD Instinct MI300X',
  vendor: 'amd',
  kind: 'gpu',
  scaleUp: 'infinity-fabric',
  figures: {
    vendor: {
      ...cdna3,
      hbmBytes: mi300.bytes(192e9),
      hbmBytesPerSecond: mi300.bytesPerSecond(5.3e12),
      powerWatts: mi300.watts(750),
    },
  },
})

export const mi325x = defineAccelerator({
  name: 'mi325x',
  aliases: ['mi325'],
  title: 'AMD Instinct MI325X',
  vendor: 'amd',
  kind: 'gpu',
  scaleUp: 'infinity-fabric',
  figures: {
    vendor: {
      ...cdna3,
      hbmBytes: mi325.bytes(256e9),
      hbmBytesPerSecond: mi325.bytesPerSecond(6e12),
      powerWatts: mi325.watts(1000),
    },
  },
})

const cdna4 = {
  hbmBytes: mi355.bytes(288e9),
  hbmBytesPerSecond: mi355.bytesPerSecond(8e12),
  l2Bytes: from('AMD Infinity Cache, the last level').bytes(256e6),
  smCount: mi355.count(256),
  scaleUpLinks: mi355.count(7),
  scaleUpLinkBytesPerSecond: mi355.bytesPerSecond(76.8e9),
  hostBytesPerSecond: pcie5,
}

export const mi350x = defineAccelerator({
  name: 'mi350x',
  title: 'AMD Instinct MI350X',
  vendor: 'amd',
  kind: 'gpu',
  scaleUp: 'infinity-fabric',
  figures: {
    vendor: {
      ...cdna4,
      flopsPerSecond: {
        bf16: mi350.flops(2300e12),
        fp16: mi350.flops(2300e12),
        fp8: mi350.flops(4600e12),
        int8: mi350.flops(4600e12),
        fp4: mi350.flops(9200e12),
      },
      vectorFlopsPerSecond: mi350.flops(144.2e12),
      clockHz: mi350.hertz(2.2e9),
      powerWatts: mi350.watts(1000),
    },
  },
})

export const mi355x = defineAccelerator({
  name: 'mi355x',
  aliases: ['mi355'],
  title: 'AMD Instinct MI355X',
  vendor: 'amd',
  kind: 'gpu',
  scaleUp: 'infinity-fabric',
  figures: {
    vendor: {
      ...cdna4,
      flopsPerSecond: {
        bf16: mi355.flops(2500e12),
        fp16: mi355.flops(2500e12),
        fp8: mi355.flops(5000e12),
        int8: mi355.flops(5000e12),
        fp4: mi355.flops(10100e12),
      },
      vectorFlopsPerSecond: mi355.flops(157.3e12),
      clockHz: mi355.hertz(2.4e9),
      powerWatts: mi355.watts(1400),
    },
  },
})

import { from } from '../quantity.ts'
import { defineLink } from './link.ts'

export const infinityFabric3 = defineLink({
  name: 'infinity-fabric-3',
  title: 'AMD Infinity Fabric between MI300X or MI325X, one link',
  bytesPerSecond: from('AMD Instinct MI300X data sheet').bytesPerSecond(64e9),
})

export const infinityFabric4 = defineLink({
  name: 'infinity-fabric-4',
  title: 'AMD Infinity Fabric between MI350X or MI355X, one link',
  bytesPerSecond: from('AMD Instinct MI355X data sheet').bytesPerSecond(76.8e9),
})

export const nvlinkC2c = defineLink({
  name: 'nvlink-c2c',
  title: 'NVLink-C2C between Grace and its GPUs',
  bytesPerSecond: from('NVIDIA: 900 GB/s in both directions').bytesPerSecond(450e9),
})

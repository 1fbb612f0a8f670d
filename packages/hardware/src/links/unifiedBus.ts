import { from } from '../quantity.ts'
import { defineLink } from './link.ts'

export const unifiedBusLane = defineLink({
  name: 'unified-bus-lane',
  title: 'Unified Bus, one lane of 112 Gbit/s',
  bytesPerSecond: from('Ascend 950 UB: 112 Gbit/s per lane').bytesPerSecond(14e9),
})

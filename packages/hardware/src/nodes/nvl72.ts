import { from } from '../quantity.ts'
import { defineNode } from './node.ts'

const rack = {
  devices: 72,
  wiring: 'switched',
  switches: { count: 18, portsEach: 72, portBytesPerSecond: 50e9, reduces: true },
  deviceLinks: 18,
  linkBytesPerSecond: 50e9,
  networkCards: 72,
  cpus: from('NVIDIA NVL72 data sheet').count(36),
} as const

export const gb200Nvl72 = defineNode({
  name: 'gb200-nvl72',
  title: 'GB200 NVL72, 72 GPUs in one rack',
  accelerators: ['gb200'],
  ...rack,
  networkLink: 'infiniband-ndr',
  source: 'How To Scale Your Model, chapter 12 (GPUs)',
})

export const gb300Nvl72 = defineNode({
  name: 'gb300-nvl72',
  title: 'GB300 NVL72, 72 GPUs in one rack',
  accelerators: ['gb300'],
  ...rack,
  networkLink: 'infiniband-xdr',
  source: 'NVIDIA GB300 NVL72 data sheet',
})

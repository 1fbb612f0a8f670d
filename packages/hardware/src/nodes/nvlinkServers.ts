import { from } from '../quantity.ts'
import { defineNode } from './node.ts'

const book = 'How To Scale Your Model, chapter 12 (GPUs)'
const dgx = from('NVIDIA DGX H100 data sheet')

export const hgxA100 = defineNode({
  name: 'hgx-a100',
  title: 'HGX A100, 8 GPUs',
  accelerators: ['a100-sxm-80gb', 'a100-sxm-40gb'],
  devices: 8,
  wiring: 'switched',
  switches: { count: 6, portsEach: 36, portBytesPerSecond: 25e9, reduces: false },
  deviceLinks: 12,
  linkBytesPerSecond: 25e9,
  networkCards: 8,
  networkLink: 'infiniband-hdr',
  source: `${book}; switch ports from the NVSwitch 2 data sheet`,
})

export const hgxH100 = defineNode({
  name: 'hgx-h100',
  title: 'HGX H100, H200 or H20, 8 GPUs',
  accelerators: ['h100-sxm', 'h200-sxm', 'h20'],
  devices: 8,
  wiring: 'switched',
  switches: { count: 4, portsEach: 64, portBytesPerSecond: 25e9, reduces: true },
  deviceLinks: 18,
  linkBytesPerSecond: 25e9,
  networkCards: 8,
  networkLink: 'infiniband-ndr',
  cpus: dgx.count(2),
  hostDramBytes: dgx.bytes(2e12),
  powerWatts: dgx.watts(10200),
  source: book,
})

export const hgxH800 = defineNode({
  name: 'hgx-h800',
  title: 'HGX H800, 8 GPUs',
  accelerators: ['h800'],
  devices: 8,
  wiring: 'switched',
  switches: { count: 4, portsEach: 64, portBytesPerSecond: 25e9, reduces: true },
  deviceLinks: 8,
  linkBytesPerSecond: 25e9,
  networkCards: 8,
  networkLink: 'infiniband-ndr',
  source: 'NVIDIA H800: NVLink cut to 400 GB/s in both directions; the book uses 300 GB/s in one',
})

export const hgxB200 = defineNode({
  name: 'hgx-b200',
  title: 'HGX B200, 8 GPUs',
  accelerators: ['b200-sxm'],
  devices: 8,
  wiring: 'switched',
  switches: { count: 2, portsEach: 72, portBytesPerSecond: 50e9, reduces: true },
  deviceLinks: 18,
  linkBytesPerSecond: 50e9,
  networkCards: 8,
  networkLink: 'infiniband-ndr',
  source: `${book}; switch ports from the NVSwitch 4 data sheet`,
})

export const hgxB300 = defineNode({
  name: 'hgx-b300',
  title: 'HGX B300, 8 GPUs',
  accelerators: ['b300-sxm'],
  devices: 8,
  wiring: 'switched',
  switches: { count: 2, portsEach: 72, portBytesPerSecond: 50e9, reduces: true },
  deviceLinks: 18,
  linkBytesPerSecond: 50e9,
  networkCards: 8,
  networkLink: 'infiniband-xdr',
  source: 'NVIDIA HGX B300 data sheet',
})

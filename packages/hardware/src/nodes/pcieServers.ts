import { defineNode } from './node.ts'

const server = { devices: 8, wiring: 'pcie', deviceLinks: 1, networkCards: 1 } as const

export const pcie4Server = defineNode({
  name: 'pcie-4-server',
  title: 'Eight cards on PCIe 4.0 x16',
  accelerators: ['l40s', 'rtx-4090', 'a100-pcie-80gb'],
  ...server,
  linkBytesPerSecond: 32e9,
  networkLink: 'ethernet-100g',
  source: 'PCIe 4.0 x16; the number of network cards is an assumption',
})

export const pcie5Server = defineNode({
  name: 'pcie-5-server',
  title: 'Eight cards on PCIe 5.0 x16',
  accelerators: ['rtx-pro-6000', 'h100-pcie'],
  ...server,
  linkBytesPerSecond: 64e9,
  networkLink: 'ethernet-400g',
  source: 'PCIe 5.0 x16; the number of network cards is an assumption',
})

export const nvlinkPair = defineNode({
  name: 'nvlink-pair',
  title: 'Two cards with an NVLink bridge',
  accelerators: ['rtx-a6000', 'a40'],
  devices: 2,
  wiring: 'full-mesh',
  deviceLinks: 4,
  linkBytesPerSecond: 14e9,
  networkCards: 1,
  networkLink: 'ethernet-100g',
  within: pcie4Server.name,
  source: 'NVIDIA RTX A6000 data sheet: 56 GB/s in each direction; the server and its network card are assumptions',
})

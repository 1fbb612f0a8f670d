import { from } from '../quantity.ts'
import { defineLink } from './link.ts'

const oneWay = from('MSCCL++ measurement over InfiniBand, one way').seconds(3.76e-6)

export const infinibandHdr = defineLink({
  name: 'infiniband-hdr',
  title: 'InfiniBand HDR, 200 Gbit/s',
  bytesPerSecond: from('NVIDIA ConnectX-6, 200 Gbit/s').bytesPerSecond(25e9),
})

export const infinibandNdr = defineLink({
  name: 'infiniband-ndr',
  title: 'InfiniBand NDR, 400 Gbit/s',
  bytesPerSecond: from('NVIDIA ConnectX-7, 400 Gbit/s').bytesPerSecond(50e9),
  latencySeconds: oneWay,
})

export const infinibandXdr = defineLink({
  name: 'infiniband-xdr',
  title: 'InfiniBand XDR, 800 Gbit/s',
  bytesPerSecond: from('NVIDIA ConnectX-8, 800 Gbit/s').bytesPerSecond(100e9),
})

export const ethernet100 = defineLink({
  name: 'ethernet-100g',
  title: 'Ethernet, 100 Gbit/s',
  bytesPerSecond: from('IEEE 802.3, 100 Gbit/s').bytesPerSecond(12.5e9),
})

export const ethernet400 = defineLink({
  name: 'ethernet-400g',
  title: 'Ethernet, 400 Gbit/s',
  bytesPerSecond: from('IEEE 802.3, 400 Gbit/s').bytesPerSecond(50e9),
})

import { from } from '../quantity.ts'
import { defineLink } from './link.ts'

const pciSig = from('PCI-SIG: rate x 16 lanes, rounded as data sheets do')

export const pcie3 = defineLink({
  name: 'pcie-3-x16',
  title: 'PCIe 3.0 x16',
  bytesPerSecond: pciSig.bytesPerSecond(16e9),
})
export const pcie4 = defineLink({
  name: 'pcie-4-x16',
  title: 'PCIe 4.0 x16',
  bytesPerSecond: pciSig.bytesPerSecond(32e9),
})
export const pcie5 = defineLink({
  name: 'pcie-5-x16',
  title: 'PCIe 5.0 x16',
  bytesPerSecond: pciSig.bytesPerSecond(64e9),
})
export const pcie6 = defineLink({
  name: 'pcie-6-x16',
  title: 'PCIe 6.0 x16',
  bytesPerSecond: pciSig.bytesPerSecond(128e9),
})

import { defineFatTree } from './fatTree.ts'

const source = 'How To Scale Your Model, chapter 12 (GPUs), DGX SuperPod reference architecture'
const h100 = {
  node: 'hgx-h100',
  nodesPerUnit: 32,
  leavesPerUnit: 8,
  switchPorts: 64,
  linkBytesPerSecond: 50e9,
  source,
} as const

export const superPodH100x1024 = defineFatTree({
  name: 'superpod-h100-1024',
  title: 'DGX H100 SuperPod of 1,024 GPUs',
  ...h100,
  units: 4,
  spines: 16,
  cores: 0,
  cablesPerLeafSpine: 2,
})

export const superPodH100x2048 = defineFatTree({
  name: 'superpod-h100-2048',
  title: 'DGX H100 SuperPod of 2,048 GPUs',
  ...h100,
  units: 8,
  spines: 32,
  cores: 0,
  cablesPerLeafSpine: 1,
})

export const superPodH100x4096 = defineFatTree({
  name: 'superpod-h100-4096',
  title: 'DGX H100 SuperPod of 4,096 GPUs, with core switches',
  ...h100,
  units: 16,
  spines: 128,
  cores: 64,
  cablesPerLeafSpine: undefined,
})

export const superPodGb200x576 = defineFatTree({
  name: 'superpod-gb200-576',
  title: 'Eight GB200 NVL72 racks, 576 GPUs',
  node: 'gb200-nvl72',
  units: 1,
  nodesPerUnit: 8,
  leavesPerUnit: 18,
  switchPorts: 64,
  spines: 0,
  cores: 0,
  linkBytesPerSecond: 50e9,
  cablesPerLeafSpine: undefined,
  source: `${source}; the leaves are as many as the 576 cables need at half their ports`,
})

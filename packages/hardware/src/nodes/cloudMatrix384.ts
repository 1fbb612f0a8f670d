import { from } from '../quantity.ts'
import { defineNode } from './node.ts'

export const cloudMatrix384 = defineNode({
  name: 'cloudmatrix-384',
  title: 'Huawei CloudMatrix384, 384 Ascend 910C',
  accelerators: ['ascend-910c'],
  devices: 384,
  wiring: 'switched',
  deviceLinks: 14,
  linkBytesPerSecond: 28e9,
  networkCards: 384,
  networkLink: 'infiniband-ndr',
  cpus: from('CloudMatrix384: Kunpeng processors').count(192),
  source: 'Serving Large Language Models on Huawei CloudMatrix384 (2025); switches are non-blocking',
})

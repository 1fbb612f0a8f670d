import { defineNode } from './node.ts'

const server = {
  devices: 8,
  wiring: 'full-mesh',
  deviceLinks: 7,
  networkCards: 8,
  networkLink: 'ethernet-400g',
} as const

export const mi300x8 = defineNode({
  name: 'mi300x-8',
  title: 'Eight MI300X or MI325X, fully connected',
  accelerators: ['mi300x', 'mi325x'],
  ...server,
  linkBytesPerSecond: 64e9,
  source: 'AMD Instinct MI300X platform data sheet',
})

export const mi355x8 = defineNode({
  name: 'mi355x-8',
  title: 'Eight MI350X or MI355X, fully connected',
  accelerators: ['mi350x', 'mi355x'],
  ...server,
  linkBytesPerSecond: 76.8e9,
  source: 'AMD Instinct MI355X platform data sheet',
})

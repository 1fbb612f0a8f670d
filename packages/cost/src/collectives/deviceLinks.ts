import { type Accelerator, MissingFigure, nodeOf, podOf, product, wrapsOf } from '@windtunnel/hardware'
import { CostInputError } from '../costInputError.ts'
import { collectiveLink, scaleUpDomainOf, serverDevicesOf } from '../step/collectiveLink.ts'
import type { MeshAxis } from './meshCollective.ts'

type SizeFree<Axis> = Axis extends MeshAxis ? Omit<Axis, 'size'> : never

/** The links of a mesh axis: torus links, or a switch. The mesh gives its size. */
export type MeshLink = SizeFree<MeshAxis>

const missing = (device: Accelerator, figure: string): never => {
  throw new MissingFigure(device.name, figure, 'Give the links of the mesh yourself, or another profile.')
}

const hopOf = (device: Accelerator) =>
  device.scaleUpHopSeconds === undefined ? {} : { hopSeconds: device.scaleUpHopSeconds }

/** How the axes of a torus are taken to close: as the shape of the slice says, all, or none. */
export type Wrap = 'auto' | 'all' | 'none'

/** One mesh axis on each axis of the slice, in the order they are named; an axis left out has one chip. */
function torusLinks(device: Accelerator, mesh: Readonly<Record<string, number>>, wrap: Wrap): Record<string, MeshLink> {
  const pod = podOf(device)
  const sizes = Object.values(mesh)
  if (sizes.length > pod.shape.length) {
    const expected = `at most ${pod.shape.length} axes, one for each of the torus of ${device.name}`
    const found = Object.entries(mesh).map(([name, size]) => `${name}=${size}`)
    throw new CostInputError({ where: 'deviceLinks', quantity: 'mesh', expected, found: found.join(', ') })
  }
  const shape = [...sizes, ...pod.shape.slice(sizes.length).map(() => 1)]
  const wraps = wrap === 'auto' ? wrapsOf(pod, shape) : shape.map(() => wrap === 'all')
  const linkBytesPerSecond = device.scaleUpLinkBytesPerSecond ?? missing(device, 'scaleUpLinkBytesPerSecond')
  return Object.fromEntries(
    Object.keys(mesh).map((axis, at) => [axis, { linkBytesPerSecond, wraps: wraps[at] === true, ...hopOf(device) }]),
  )
}

function switchedLinks(device: Accelerator, mesh: Readonly<Record<string, number>>): Record<string, MeshLink> {
  if (device.scaleUpBytesPerSecond === undefined) missing(device, 'scaleUpBytesPerSecond')
  const devices = product(Object.values(mesh))
  const together = serverDevicesOf(device)
  if (devices > together) {
    const why = nodeOf(device.name) === undefined ? 'as is assumed where no node is known' : 'those of a server'
    const expected = `at most ${together} devices of ${device.name}, ${why}`
    throw new CostInputError({ where: 'deviceLinks', quantity: 'mesh', expected, found: `${devices} devices` })
  }
  const egressBytesPerSecond = collectiveLink(device, devices).bytesPerSecond
  const hop = devices <= scaleUpDomainOf(device) ? hopOf(device) : {}
  return Object.fromEntries(Object.keys(mesh).map((axis) => [axis, { egressBytesPerSecond, ...hop }]))
}

/**
 * The links of each axis of a mesh laid on an accelerator: torus axes of a TPU slice with its wraparound (book ch. 2, H8,
 * H9), the switches of a GPU node (ch. 12, G5), or PCIe in a server of which the node is a part.
 * @param mesh axis -> devices
 * @param wrap on a torus, which axes close into rings
 * @throws CostInputError for more axes than the torus has, or more devices than a server
 * @throws MissingFigure where no source gives the bandwidth
 */
export function deviceLinks(
  device: Accelerator,
  mesh: Readonly<Record<string, number>>,
  wrap: Wrap = 'auto',
): Record<string, MeshLink> {
  return device.pod === undefined ? switchedLinks(device, mesh) : torusLinks(device, mesh, wrap)
}

import type { MeshLink } from '@windtunnel/cost'
import { scaleUpDomainOf } from '@windtunnel/cost/step/collectiveLink'
import { type Accelerator, accelerator, nodeEgress, nodeOf, podOf, product, wrapsOf } from '@windtunnel/hardware'
import { CliFault } from '../fault.ts'

/** How mesh axes of a torus are taken to close: as the slice's shape says, or all, or none. */
export type Wrap = 'auto' | 'all' | 'none'

/** Reads `tpu-v5e:8x4` or `h100:8`: an accelerator and the devices along each axis, if given. */
export function readDevices(text: string): { accelerator: Accelerator; shape: readonly number[] | undefined } {
  const [name = '', shapeText] = text.split(':')
  const shape = shapeText?.split('x').map(Number)
  if (shape?.some((size) => !Number.isSafeInteger(size) || size < 1))
    throw new CliFault(`--on ${text}: expected NAME:SHAPE such as tpu-v5e:8x4 or h100:8`)
  return { accelerator: accelerator(name), shape }
}

/** Whether a mesh of GPUs takes several nodes whose network is known. */
export function sitsOnNodes(device: Accelerator, mesh: Readonly<Record<string, number>>): boolean {
  const node = nodeOf(device.name)
  if (device.torusDimensions !== undefined || node === undefined || !(nodeEgress(node) > 0)) return false
  return product(Object.values(mesh)) > scaleUpDomainOf(device)
}

/** The links of each axis of a device mesh. Throws a CliFault when the devices do not sit on one scale-up network. */
export function meshLinks(
  device: Accelerator,
  mesh: Readonly<Record<string, number>>,
  wrap: Wrap,
): Record<string, MeshLink> {
  return device.torusDimensions === undefined ? switchedLinks(device, mesh) : torusLinks(device, mesh, wrap)
}

function torusLinks(device: Accelerator, mesh: Readonly<Record<string, number>>, wrap: Wrap): Record<string, MeshLink> {
  const linkBytesPerSecond = device.scaleUpLinkBytesPerSecond
  if (linkBytesPerSecond === undefined) throw new CliFault(`no link bandwidth is known for ${device.name}`)
  const shape = Object.values(mesh)
  const wraps = wrap === 'auto' ? wrapsOf(podOf(device), shape) : shape.map(() => wrap === 'all')
  const hop = device.scaleUpHopSeconds === undefined ? {} : { hopSeconds: device.scaleUpHopSeconds }
  return Object.fromEntries(
    Object.keys(mesh).map((axis, at) => [axis, { linkBytesPerSecond, wraps: wraps[at] === true, ...hop }]),
  )
}

function switchedLinks(device: Accelerator, mesh: Readonly<Record<string, number>>): Record<string, MeshLink> {
  const egressBytesPerSecond = device.scaleUpBytesPerSecond
  if (egressBytesPerSecond === undefined)
    throw new CliFault(`no bandwidth between accelerators is known for ${device.name}`)
  const devices = product(Object.values(mesh))
  const domain = scaleUpDomainOf(device)
  if (devices > domain)
    throw new CliFault(
      `${devices} x ${device.name} do not sit on one ${device.scaleUp} network, which joins ${domain}; take fewer devices`,
    )
  const hop = device.scaleUpHopSeconds === undefined ? {} : { hopSeconds: device.scaleUpHopSeconds }
  return Object.fromEntries(Object.keys(mesh).map((axis) => [axis, { egressBytesPerSecond, ...hop }]))
}

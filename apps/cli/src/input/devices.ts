import { type CollectiveLink, scaleUpDomainOf, serverDevicesOf } from '@windtunnel/cost/step/collectiveLink'
import {
  type Accelerator,
  accelerator,
  nodeEgress,
  nodeOf,
  type Profile,
  product,
  serverOf,
} from '@windtunnel/hardware'
import { CliFault } from '../fault.ts'

/** Reads `tpu-v5e:8x4` or `h100:8`: an accelerator and the devices along each axis, if given. */
export function readDevices(
  text: string,
  profile: Profile,
): { accelerator: Accelerator; shape: readonly number[] | undefined } {
  const [name = '', shapeText, ...rest] = text.split(':')
  const shape = shapeText?.split('x').map(Number)
  if (rest.length > 0 || shape?.some((size) => !Number.isSafeInteger(size) || size < 1))
    throw new CliFault(`--on ${text}: expected NAME:SHAPE such as tpu-v5e:8x4 or h100:8`)
  return { accelerator: accelerator(name, profile), shape }
}

/** Whether a mesh of GPUs takes several servers whose network is known. */
export function sitsOnNodes(device: Accelerator, mesh: Readonly<Record<string, number>>): boolean {
  const server = serverOf(device.name)
  if (device.torusDimensions !== undefined || server === undefined || !(nodeEgress(server) > 0)) return false
  return product(Object.values(mesh)) > server.devices
}

/** What is known or assumed of the network that so many devices behind a switch, in a mesh or on PCIe share. */
export function networkSentence(device: Accelerator, devices: number, { kind }: CollectiveLink): string {
  const domain = scaleUpDomainOf(device)
  const node = nodeOf(device.name)
  if (node === undefined) return `${kind}; that it joins ${domain} of them is an assumption: no node of them is known`
  if (devices <= domain) return `${kind}, which joins ${domain} of them: ${node.title}`
  return `${kind} of a server of ${serverDevicesOf(device)}: ${device.scaleUp} joins ${domain} of them only`
}

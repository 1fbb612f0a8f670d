import { type Accelerator, accelerator, type Profile } from '@windtunnel/hardware'
import { CostInputError, requireCount } from '../costInputError.ts'
import type { CollectiveKind, CollectiveTime } from './collectiveKind.ts'
import { deviceLinks } from './deviceLinks.ts'
import { type MeshAxis, meshCollective } from './meshCollective.ts'

/** Devices written as `tpu-v5e:8x4` or `h100:8`, with their axes named X, Y, Z. */
export interface NamedMesh {
  readonly device: Accelerator
  readonly mesh: Readonly<Record<string, number>>
}

const axisNames = ['X', 'Y', 'Z']

const wrong = (quantity: string, expected: string, found: string): never => {
  throw new CostInputError({ where: 'collectiveOn', quantity, expected, found })
}

/** Whose figures stand for a named device where nobody says: those of the book, whose formulas these are. */
export const DEFAULT_PROFILE: Profile = 'book'

/**
 * Reads `NAME:SHAPE`: an accelerator by name or alias, and its devices along the axes X, Y, Z.
 * @throws UnknownName for the accelerator, CostInputError for the shape
 */
export function parseDevices(text: string, profile: Profile = DEFAULT_PROFILE): NamedMesh {
  const [name = '', shape, ...rest] = text.split(':')
  const sizes = shape?.split('x').map(Number) ?? []
  const whole = sizes.every((size) => Number.isSafeInteger(size) && size > 0)
  if (rest.length > 0 || sizes.length === 0 || sizes.length > axisNames.length || !whole) {
    return wrong('on', 'NAME:SHAPE with one to three whole numbers, like tpu-v5e:8x4 or h100:8', text)
  }
  const mesh = Object.fromEntries(sizes.map((size, at) => [axisNames[at]!, size]))
  return { device: accelerator(name, profile), mesh }
}

export interface CollectiveOn extends CollectiveTime {
  readonly device: string
  readonly mesh: Readonly<Record<string, number>>
  /** The axes it runs over, with their links. */
  readonly axes: Readonly<Record<string, MeshAxis>>
}

/**
 * Time of a collective on named devices. Book ch. 3, C3 to C11; ch. 12, G8 and G9.
 * @param kind all-gather, reduce-scatter, all-reduce or all-to-all
 * @param of `bytes` of the whole array (gathered, unreduced or exchanged); `on` like `tpu-v5e:8x4`; `axis` like `Y` or
 *   `XY`, all axes unless given; `otherShards`, ways the array stays sharded over other axes; whose figures (`book`)
 * @throws CostInputError for devices or axes that are none
 */
export function collectiveOn(
  kind: CollectiveKind,
  of: {
    readonly bytes: number
    readonly on: string
    readonly axis?: string
    readonly otherShards?: number
    readonly profile?: Profile
  },
): CollectiveOn {
  const { bytes, on, otherShards = 1, profile = DEFAULT_PROFILE } = of
  const { device, mesh } = parseDevices(on, profile)
  const names = Object.keys(mesh)
  const chosen = of.axis === undefined ? names : [...new Set(of.axis.toUpperCase())]
  requireCount('collectiveOn', { axes: chosen.length })
  const unknown = chosen.find((axis) => !names.includes(axis))
  if (unknown !== undefined) return wrong('axis', `one or more of ${names.join(', ')}`, of.axis ?? '')
  const links = deviceLinks(device, mesh)
  const axes = Object.fromEntries(
    chosen.map((axis): [string, MeshAxis] => [axis, { ...links[axis]!, size: mesh[axis]! }]),
  )
  const time = meshCollective(kind, { bytes, axes: Object.values(axes), otherShards })
  return { ...time, device: device.name, mesh, axes }
}

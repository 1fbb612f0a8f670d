import type { Wrap } from '@windtunnel/cost/collectives/deviceLinks'
import type { Accelerator, Profile } from '@windtunnel/hardware'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import { profileFlag } from '../input/profile.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const kinds = ['all-gather', 'reduce-scatter', 'all-reduce', 'all-to-all'] as const

export const wrapFlag = Flag.Literals('wrap', ['auto', 'all', 'none']).pipe(
  Flag.withDescription('Which axes of a torus close into rings: as the shape of the slice says, all, or none.'),
  Flag.withDefault('auto' as const),
)

const flags = {
  kind: Argument.Literals('kind', kinds).pipe(Argument.withDescription('The collective.')),
  bytes: Flag.String('bytes').pipe(
    Flag.withMetavar('BYTES'),
    Flag.withDescription('Bytes of the whole array: gathered, before the reduction, or exchanged in all.'),
  ),
  on: Flag.String('on').pipe(
    Flag.withMetavar('NAME:SHAPE'),
    Flag.withDescription('Devices, such as tpu-v5e:8x4 or h100:8; the axes are called X, Y and Z.'),
  ),
  axis: Flag.String('axis').pipe(
    Flag.withMetavar('AXES'),
    Flag.withDescription('Axes that the collective runs over, such as Y or XY; all of them without it.'),
    Flag.optional,
  ),
  sharded: Flag.Int('sharded').pipe(
    Flag.withMetavar('WAYS'),
    Flag.withDescription('Ways the array stays sharded over other axes.'),
    Flag.withDefault(1),
  ),
  wrap: wrapFlag,
  profile: profileFlag,
  json: jsonFlag,
}

interface Input {
  readonly kind: (typeof kinds)[number]
  readonly bytes: string
  readonly on: string
  readonly axis: Option.Option<string>
  readonly sharded: number
  readonly wrap: Wrap
  readonly profile: Profile
  readonly json: boolean
}

export const collective = Command.make('collective', flags, action(runCollective)).pipe(
  Command.withDescription(
    'Time of a collective on a torus slice, in a GPU node or over several ("How To Scale Your Model", ch. 3 and 12).',
  ),
  Command.withExamples([
    {
      command: 'windtunnel collective all-gather --bytes 34e6 --on tpu-v5e:8x4 --axis Y',
      description: 'Along one axis',
    },
    { command: 'windtunnel collective all-reduce --bytes 1e9 --on h100:8', description: 'In a GPU node' },
    { command: 'windtunnel collective all-reduce --bytes 1e9 --on h100:128', description: 'Over GPU nodes' },
  ]),
)

async function runCollective(input: Input): Promise<void> {
  const { meshCollective } = await import('@windtunnel/cost/collectives/meshCollective')
  const { readNumber } = await import('../input/assignments.ts')
  const { deviceLinks } = await import('@windtunnel/cost/collectives/deviceLinks')
  const { collectiveLink } = await import('@windtunnel/cost/step/collectiveLink')
  const { product } = await import('@windtunnel/hardware')
  const { networkSentence, readDevices, sitsOnNodes } = await import('../input/devices.ts')
  const { profileSentence } = await import('../input/profile.ts')
  const { print, printJson } = await import('../output/print.ts')
  const { bytes, seconds } = await import('../output/format.ts')
  const { table } = await import('../output/table.ts')
  const { accelerator, shape } = readDevices(input.on, input.profile)
  if (shape === undefined) throw new CliFault(`--on ${input.on}: say how many devices, such as ${input.on}:8`)
  const names = ['X', 'Y', 'Z', 'W'].slice(0, shape.length)
  const mesh = Object.fromEntries(names.map((name, at) => [name, shape[at]!]))
  if (sitsOnNodes(accelerator, mesh)) return acrossNodes(input, accelerator, mesh)
  const links = deviceLinks(accelerator, mesh, input.wrap)
  const chosen = chosenAxes(
    Option.getOrElse(input.axis, () => names.join('')),
    names,
  )
  const devices = product(shape)
  const volume = readNumber(input.bytes, '--bytes')
  const time = meshCollective(input.kind, {
    bytes: volume,
    axes: chosen.map((axis) => ({ ...links[axis]!, size: mesh[axis]! })),
    otherShards: input.sharded,
  })
  if (input.json)
    return printJson({
      kind: input.kind,
      on: accelerator.name,
      profile: input.profile,
      mesh,
      axes: chosen,
      bytes: volume,
      otherShards: input.sharded,
      links,
      ...time,
    })
  const wraps = chosen.map(
    (axis) => `${axis}=${mesh[axis]}${'wraps' in links[axis]! ? (links[axis]!.wraps ? ' (ring)' : ' (line)') : ''}`,
  )
  const rows = [
    ['time', seconds(time.seconds)],
    ['bandwidth', seconds(time.bandwidthSeconds)],
    ['latency', seconds(time.latencySeconds)],
    ['bound by', time.bound],
    ...(accelerator.torusDimensions === undefined
      ? [['network', networkSentence(accelerator, devices, collectiveLink(accelerator, devices))]]
      : []),
    ['figures', profileSentence(input.profile)],
  ]
  await print(
    `${input.kind} of ${bytes(volume)} over ${wraps.join(', ')} of ${accelerator.name} ${shape.join('x')}\n\n${table(['', ''], rows)}`,
  )
}

/** GPUs of several nodes: a fat tree in place of one network. */
async function acrossNodes(input: Input, device: Accelerator, mesh: Readonly<Record<string, number>>): Promise<void> {
  const { collectiveAcrossNodes } = await import('@windtunnel/cost/gpu/acrossNodes')
  const { product } = await import('@windtunnel/hardware')
  const { readNumber } = await import('../input/assignments.ts')
  const { print, printJson } = await import('../output/print.ts')
  const { bytes, bytesPerSecond, seconds } = await import('../output/format.ts')
  const { table } = await import('../output/table.ts')
  const { profileSentence } = await import('../input/profile.ts')
  if (Option.isSome(input.axis))
    throw new CliFault(
      `--axis ${input.axis.value}: over several nodes a collective runs over all GPUs; say with --sharded how many ways the array stays sharded over an inner axis`,
    )
  const volume = readNumber(input.bytes, '--bytes')
  const gpus = product(Object.values(mesh))
  const found = collectiveAcrossNodes(input.kind, device, { bytes: volume, gpus, innerShards: input.sharded })
  if (input.json)
    return printJson({
      kind: input.kind,
      on: device.name,
      profile: input.profile,
      mesh,
      bytes: volume,
      otherShards: input.sharded,
      ...found,
    })
  const rows = [
    ['time', seconds(found.seconds)],
    ['in a node', `${bytesPerSecond(found.gpuBytesPerSecond)} a GPU`],
    ['between nodes', `${bytesPerSecond(found.nodeBytesPerSecond)} a node`],
    ['bound by', found.binding === 'node' ? 'the links in a node' : 'the network between nodes'],
    ['figures', profileSentence(input.profile)],
  ]
  await print(
    `${input.kind} of ${bytes(volume)} over ${found.nodes} nodes of ${found.gpusPerNode} ${device.name}\n\n${table(['', ''], rows)}`,
  )
}

function chosenAxes(text: string, names: readonly string[]): string[] {
  const axes = [...text.toUpperCase().replaceAll(/[,\s]/g, '')]
  const unknown = axes.find((axis) => !names.includes(axis))
  if (unknown !== undefined || axes.length === 0)
    throw new CliFault(`--axis ${text}: there is no axis ${unknown ?? ''}; the axes are ${names.join(', ')}`)
  return [...new Set(axes)]
}

import type { Wrap } from '@windtunnel/cost/collectives/deviceLinks'
import type { Profile } from '@windtunnel/hardware'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { profileFlag } from '../input/profile.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'
import { wrapFlag } from './collective.ts'

const flags = {
  matmul: Argument.String('matmul').pipe(
    Argument.withDescription('A sharded matmul, such as "A[I_X,J]*B[J,K_Y]->C[I_X,K_Y]".'),
  ),
  mesh: Flag.String('mesh').pipe(Flag.withMetavar('X=4,Y=8'), Flag.withDescription('Devices along each mesh axis.')),
  dims: Flag.String('dims').pipe(Flag.withMetavar('I=..,J=..'), Flag.withDescription('Length of each dimension.')),
  on: Flag.String('on').pipe(
    Flag.withMetavar('NAME'),
    Flag.withDescription('Accelerator, for times; without it there are bytes and FLOPs only.'),
    Flag.optional,
  ),
  dtype: Flag.Literals('dtype', ['bf16', 'fp8', 'int8', 'fp32']).pipe(
    Flag.withDescription('Format of the arrays and of the arithmetic.'),
    Flag.withDefault('bf16' as const),
  ),
  serial: Flag.Boolean('serial').pipe(
    Flag.withDescription('Collectives and arithmetic follow one another instead of overlapping.'),
    Flag.withDefault(false),
  ),
  wrap: wrapFlag,
  profile: profileFlag,
  json: jsonFlag,
}

interface Input {
  readonly matmul: string
  readonly mesh: string
  readonly dims: string
  readonly on: Option.Option<string>
  readonly dtype: 'bf16' | 'fp8' | 'int8' | 'fp32'
  readonly serial: boolean
  readonly wrap: Wrap
  readonly profile: Profile
  readonly json: boolean
}

export const sharding = Command.make('sharding', flags, action(runSharding)).pipe(
  Command.withDescription(
    'Plan a sharded matmul: its case, its collectives, shapes, memory, FLOPs and time of every way to do it.',
  ),
  Command.withExamples([
    {
      command:
        'windtunnel sharding "A[I_X,J]*B[J,K_Y]->C[I_X,K_Y]" --mesh X=4,Y=8 --dims I=4096,J=8192,K=8192 --on tpu-v5e',
      description: 'With times on TPU v5e',
    },
  ]),
)

async function runSharding(input: Input): Promise<void> {
  const { planShardedMatmul } = await import('@windtunnel/cost/sharding/planShardedMatmul')
  const { peakFlopsPerSecond } = await import('@windtunnel/hardware')
  const { dtypeBytes } = await import('@windtunnel/models')
  const { readCounts } = await import('../input/assignments.ts')
  const { deviceLinks } = await import('@windtunnel/cost/collectives/deviceLinks')
  const { readDevices } = await import('../input/devices.ts')
  const { profileSentence } = await import('../input/profile.ts')
  const { print, printJson } = await import('../output/print.ts')
  const mesh = readCounts(input.mesh, '--mesh')
  const dims = readCounts(input.dims, '--dims')
  const device = Option.isSome(input.on) ? readDevices(input.on.value, input.profile).accelerator : undefined
  const plans = planShardedMatmul(input.matmul, {
    mesh,
    dims,
    bytesPerElement: dtypeBytes[input.dtype],
    overlap: !input.serial,
    ...(device === undefined
      ? {}
      : { links: deviceLinks(device, mesh, input.wrap), peakFlopsPerSecond: peakFlopsPerSecond(device, input.dtype) }),
  })
  if (input.json) return printJson(plans)
  const figures = device === undefined ? '' : `\n\ntimes on ${device.name}: figures ${profileSentence(input.profile)}`
  await print((await plansText(plans)) + figures)
}

async function plansText(found: import('@windtunnel/cost').ShardedMatmulPlans): Promise<string> {
  const { showShardedArray } = await import('@windtunnel/cost/sharding/notation')
  const { bytes, flops, seconds } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const { matmul, arrays, rule } = found
  const arrayRows = (['left', 'right', 'result'] as const).map((side) => [
    showShardedArray(matmul[side]),
    arrays[side].localShape.join(' x '),
    bytes(arrays[side].bytes),
  ])
  const planRows = found.plans.map((plan, at) => [
    at === 0 ? '*' : '',
    plan.label,
    seconds(plan.seconds),
    seconds(plan.mathSeconds),
    seconds(plan.collectiveSeconds),
    bytes(plan.collectiveBytes),
    flops(plan.flopsPerDevice),
    bytes(plan.peakBytesPerDevice),
    plan.bound ?? '-',
  ])
  return [
    `${showShardedArray(matmul.left)} * ${showShardedArray(matmul.right)} -> ${showShardedArray(matmul.result)}`,
    `case ${rule.case}, ${rule.reason}: ${rule.summary}; ${flops(found.flops)} in all`,
    '',
    table(['array', right('on one device'), right('bytes')], arrayRows),
    '',
    table(
      [
        '',
        'way (* the cheapest)',
        right('time'),
        right('arithmetic'),
        right('collectives'),
        right('moved'),
        right('FLOPs/device'),
        right('memory/device'),
        'bound by',
      ],
      planRows,
    ),
  ].join('\n')
}

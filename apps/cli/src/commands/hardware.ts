import type { AcceleratorSpec, Figures, Quantity } from '@windtunnel/hardware'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  name: Argument.String('name').pipe(
    Argument.withDescription('An accelerator; without it all are listed.'),
    Argument.optional,
  ),
  profile: Flag.Literals('profile', ['vendor', 'book']).pipe(
    Flag.withDescription('Whose figures come first: the data sheets, or the tables of "How To Scale Your Model".'),
    Flag.withDefault('vendor' as const),
  ),
  json: jsonFlag,
}

interface Input {
  readonly name: Option.Option<string>
  readonly profile: 'vendor' | 'book'
  readonly json: boolean
}

export const hardware = Command.make(
  'hardware',
  flags,
  action((input: Input) => (Option.isSome(input.name) ? showOne(input.name.value, input) : showAll(input))),
).pipe(
  Command.withDescription('Show accelerators: peaks, memory, links, price, power, with units and sources.'),
  Command.withExamples([
    { command: 'windtunnel hardware', description: 'All accelerators' },
    { command: 'windtunnel hardware h100 --json', description: 'One, for a program' },
  ]),
)

async function showAll(input: Input): Promise<void> {
  const { accelerator, acceleratorNames } = await import('@windtunnel/hardware')
  const { print, printJson } = await import('../output/print.ts')
  const { bytes, bytesPerSecond, flopsPerSecond, number } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const all = acceleratorNames.map((name) => accelerator(name, input.profile))
  if (input.json) return printJson(all.map(({ figures, ...plain }) => plain))
  const rows = all.map((one) => [
    one.name,
    flopsPerSecond(one.flopsPerSecond.bf16),
    flopsPerSecond(one.flopsPerSecond.fp8),
    bytes(one.hbmBytes),
    bytesPerSecond(one.hbmBytesPerSecond),
    bytesPerSecond(one.scaleUpBytesPerSecond),
    one.scaleUp,
    number(one.powerWatts),
    number(one.priceUsdPerHour),
  ])
  const columns = [
    'accelerator',
    right('bf16'),
    right('fp8'),
    right('memory'),
    right('bandwidth'),
    right('egress'),
    'links',
    right('W'),
    right('USD/h'),
  ]
  await print(table(columns, rows))
}

async function showOne(name: string, input: Input): Promise<void> {
  const { accelerator, acceleratorSpecs } = await import('@windtunnel/hardware')
  const { print, printJson } = await import('../output/print.ts')
  const { inUnit } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const one = accelerator(name, input.profile)
  if (input.json) return printJson(one)
  const specs: Readonly<Record<string, AcceleratorSpec>> = acceleratorSpecs
  const aliases = specs[one.name]?.aliases ?? []
  const rows = quantitiesOf(one.figures).map(([figure, quantity]) => [
    figure,
    inUnit(quantity.value, quantity.unit),
    quantity.source,
  ])
  const head = `${one.title} (${one.name}${aliases.length > 0 ? `; also ${aliases.join(', ')}` : ''})`
  await print(
    `${head}\n${one.vendor} ${one.kind}, scale-up over ${one.scaleUp}, figures: ${input.profile} first\n\n${table(['figure', right('value'), 'source'], rows)}`,
  )
}

function quantitiesOf(figures: Figures): [string, Quantity][] {
  const found: [string, Quantity][] = []
  for (const [name, value] of Object.entries(figures)) {
    if (isQuantity(value)) found.push([name, value])
    else
      for (const [dtype, peak] of Object.entries(value as Readonly<Record<string, Quantity>>))
        found.push([`${name}.${dtype}`, peak])
  }
  return found
}

const isQuantity = (value: unknown): value is Quantity =>
  typeof value === 'object' && value !== null && typeof (value as Quantity).unit === 'string'

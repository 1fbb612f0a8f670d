import type { ServingOption, ServingPlan } from '@windtunnel/cost'
import { stepDtypeNames } from '@windtunnel/cost/step/dtypes'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { positive, positiveCount } from '../input/quantities.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const format = (name: string, sentence: string) =>
  Flag.Literals(name, stepDtypeNames).pipe(Flag.withDescription(sentence), Flag.optional)

const flags = {
  model: Argument.String('model').pipe(
    Argument.withDescription('A model of the registry, or a Hugging Face config.json.'),
  ),
  on: Flag.String('on').pipe(Flag.withMetavar('NAME'), Flag.withDescription('Accelerator.')),
  prompt: positiveCount('prompt', 'TOKENS', 'Tokens of a prompt.').pipe(Flag.withDefault(1024)),
  output: positiveCount('output', 'TOKENS', 'Tokens of an answer.').pipe(Flag.withDefault(256)),
  context: positiveCount(
    'context',
    'TOKENS',
    'Tokens whose cache is kept for a sequence; prompt and output without it.',
  ).pipe(Flag.optional),
  under: positive(
    'under',
    'MS',
    'Longest decode step, in milliseconds a token; without it memory alone limits the batch.',
  ).pipe(Flag.optional),
  chips: Flag.String('chips').pipe(
    Flag.withMetavar('N,N,...'),
    Flag.withDescription(
      'Numbers of accelerators to consider; without it the slices of a TPU pod, or powers of two up to 64.',
    ),
    Flag.optional,
  ),
  weights: format('weights', 'Format of the weights; bf16 without it.'),
  activations: format('activations', 'Format of the arithmetic; that of the weights without it.'),
  kv: format('kv', 'Format of the KV cache; bf16 without it.'),
  price: positive('price', 'USD', 'Price of one accelerator in US dollars an hour.').pipe(Flag.optional),
  json: jsonFlag,
}

type Format = (typeof stepDtypeNames)[number]

interface Input {
  readonly model: string
  readonly on: string
  readonly prompt: number
  readonly output: number
  readonly context: Option.Option<number>
  readonly under: Option.Option<number>
  readonly chips: Option.Option<string>
  readonly weights: Option.Option<Format>
  readonly activations: Option.Option<Format>
  readonly kv: Option.Option<Format>
  readonly price: Option.Option<number>
  readonly json: boolean
}

const given = <K extends string, T>(key: K, value: Option.Option<T>): { readonly [P in K]?: T } =>
  (Option.isSome(value) ? { [key]: value.value } : {}) as { readonly [P in K]?: T }

export const planServe = Command.make('serve', flags, action(runPlan)).pipe(
  Command.withDescription('How to serve a model: smallest slice, batch, step, throughput, prefill servers, cost.'),
  Command.withExamples([
    {
      command: 'windtunnel plan serve llama-2-70b --on tpu-v5e --prompt 8192 --output 512 --under 15',
      description: 'Under 15 ms a token',
    },
  ]),
)

async function runPlan(input: Input): Promise<void> {
  const { planServing } = await import('@windtunnel/cost/plan/planServing')
  const { accelerator } = await import('@windtunnel/hardware')
  const { readChipCounts } = await import('../input/assignments.ts')
  const { findModel } = await import('../input/modelFile.ts')
  const { print, printJson } = await import('../output/print.ts')
  const plan = planServing({
    model: await findModel(input.model),
    accelerator: accelerator(input.on),
    promptTokens: input.prompt,
    outputTokens: input.output,
    contextTokens: Option.getOrElse(input.context, () => input.prompt + input.output),
    dtypes: {
      ...given('weights', input.weights),
      ...given('activations', input.activations),
      ...given('keyValues', input.kv),
    },
    ...given('usdPerHour', input.price),
    ...given(
      'stepLimitSeconds',
      Option.map(input.under, (milliseconds) => milliseconds / 1000),
    ),
    ...given('chipCounts', Option.map(input.chips, readChipCounts)),
  })
  if (input.json) return printJson(plan)
  await print(await planText(plan, input))
}

const fasterOf = ({ fasterFormats }: ServingPlan): string =>
  `${fasterFormats.map(({ dtype, times }) => `${dtype} (${Number(times.toPrecision(3))} times)`).join(', ')}; see --weights`

async function planText(plan: ServingPlan, input: Input): Promise<string> {
  const { bytes, number, seconds } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const { byMemory, byLatency } = plan.minChips
  const facts = [
    ['weights', `${bytes(plan.paramBytes)} in ${plan.dtypes.weights}`],
    [
      'KV cache',
      `${bytes(plan.kvBytesPerToken)} a token, ${bytes(plan.kvBytesPerSequence)} a sequence, in ${plan.dtypes.keyValues}`,
    ],
    ...(plan.fasterFormats.length === 0 ? [] : [['faster arithmetic', fasterOf(plan)]]),
    ['compute-bound from', `${number(plan.criticalBatchTokens)} tokens a step`],
    [
      'least chips',
      `${byMemory} to hold the weights${byLatency === undefined ? '' : `, ${byLatency} to read them in time`}`,
    ],
  ]
  const name = (option: { chips: number; shape: readonly number[] | undefined }): string =>
    option.shape === undefined ? String(option.chips) : `${option.shape.join('x')}`
  const mark = (option: ServingOption): string =>
    [option === plan.smallest ? 'smallest' : '', option === plan.mostProductive ? 'most per chip' : '']
      .filter(Boolean)
      .join(', ')
  const rows = plan.options.map((option) => [
    name(option),
    number(option.batch),
    option.batchLimitedBy,
    seconds(option.step.seconds),
    option.step.bound,
    number(option.tokensPerSecond),
    number(option.tokensPerSecondPerChip),
    number(option.requestsPerSecond),
    seconds(option.prefillSeconds),
    number(option.prefillToGenerate, 3),
    number(option.usdPerMillionTokens, 3),
    mark(option),
  ])
  const columns = [
    'chips',
    right('batch'),
    'limited by',
    right('step'),
    'waits for',
    right('tokens/s'),
    right('per chip'),
    right('requests/s'),
    right('prefill'),
    right('prefill:generate'),
    right('USD/M tokens'),
    '',
  ]
  const rejected = plan.rejected.map((one) => [name(one), one.reason])
  return [
    `${input.model} on ${plan.accelerator}, ${number(input.prompt)} tokens in and ${number(input.output)} out`,
    '',
    table(['', ''], facts),
    '',
    rows.length === 0 ? 'No slice will do.' : table(columns, rows),
    ...(rejected.length === 0 ? [] : ['', table([right('chips'), 'why not'], rejected)]),
    '',
    ...plan.assumptions.map((assumption) => `assumed: ${assumption}`),
  ].join('\n')
}

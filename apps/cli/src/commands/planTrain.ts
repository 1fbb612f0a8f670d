import type { TrainingMix, TrainingPlan } from '@windtunnel/cost'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { positive, positiveCount } from '../input/quantities.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  model: Argument.String('model').pipe(
    Argument.withDescription('A model of the registry, or a Hugging Face config.json.'),
  ),
  on: Flag.String('on').pipe(Flag.withMetavar('NAME'), Flag.withDescription('Accelerator.')),
  chips: positiveCount('chips', 'N', 'Accelerators, of one slice where there are several.'),
  slices: positiveCount('slices', 'N', 'TPU slices joined by the data-centre network.').pipe(Flag.withDefault(1)),
  batch: positive('batch', 'TOKENS', 'Tokens of a step over everything, such as 4e6.'),
  sequence: positiveCount('sequence', 'TOKENS', 'Tokens of a sequence.').pipe(Flag.withDefault(4096)),
  tokens: positive('tokens', 'TOKENS', 'Tokens of the whole run, such as 15e12.').pipe(Flag.optional),
  utilisation: positive('utilisation', 'SHARE', 'Model FLOPs utilisation hoped for.').pipe(Flag.withDefault(0.4)),
  overlap: Flag.Literals('overlap', ['overlapped', 'serial']).pipe(
    Flag.withDescription(
      'Whether collectives on different axes overlap (the latest edition) or follow one another (February 2025).',
    ),
    Flag.withDefault('overlapped' as const),
  ),
  json: jsonFlag,
}

interface Input {
  readonly model: string
  readonly on: string
  readonly chips: number
  readonly slices: number
  readonly batch: number
  readonly sequence: number
  readonly tokens: Option.Option<number>
  readonly utilisation: number
  readonly overlap: 'overlapped' | 'serial'
  readonly json: boolean
}

export const planTrain = Command.make('train', flags, action(runPlan)).pipe(
  Command.withDescription(
    'How to train a model: memory, the best split, what bounds it, time of a step and of the run.',
  ),
  Command.withExamples([
    {
      command: 'windtunnel plan train llama-3.1-70b --on tpu-v5p --chips 8960 --batch 4e6 --tokens 15e12',
      description: 'A whole pod',
    },
  ]),
)

async function runPlan(input: Input): Promise<void> {
  const { planTraining } = await import('@windtunnel/cost/plan/planTraining')
  const { accelerator } = await import('@windtunnel/hardware')
  const { findModel } = await import('../input/modelFile.ts')
  const { print, printJson } = await import('../output/print.ts')
  const plan = planTraining({
    model: await findModel(input.model),
    accelerator: accelerator(input.on),
    chips: input.chips,
    slices: input.slices,
    batchTokens: input.batch,
    tokensPerSequence: input.sequence,
    utilisation: input.utilisation,
    overlap: input.overlap,
    ...(Option.isSome(input.tokens) ? { runTokens: input.tokens.value } : {}),
  })
  if (input.json) return printJson(plan)
  await print(await planText(plan, input))
}

async function planText(plan: TrainingPlan, input: Input): Promise<string> {
  const { bytes, number, percent, seconds } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const { memory, batch, time } = plan
  const facts = [
    [
      'memory',
      `${bytes(memory.totalBytes)}: weights ${bytes(memory.weightBytes)}, optimizer ${bytes(memory.optimizerBytes)}, checkpoints ${bytes(memory.checkpointBytes)}`,
    ],
    [
      'a chip',
      `${bytes(memory.bytesPerChip)} of ${bytes(memory.hbmBytesPerChip)}${memory.fits ? '' : ', which does not fit'}; at least ${number(memory.minChips)} chips`,
    ],
    [
      'batch',
      `${number(batch.tokens)} tokens, ${number(batch.tokensPerChip)} a chip, ${number(batch.sequences)} sequences`,
    ],
    ['verdict', `${plan.verdict}: ${plan.reason}`],
    ['a step', `${seconds(time.stepSeconds)} at ${percent(time.utilisation)} of the peak`],
    ...(time.runSeconds === undefined
      ? []
      : [
          [
            'the run',
            `${seconds(time.runSeconds)}, ${number(time.steps)} steps, ${number(time.chipHours)} chip hours${time.usd === undefined ? '' : `, ${number(time.usd)} USD`}`,
          ],
        ]),
  ]
  const schemes = plan.schemes.map((one) => [
    one.scheme,
    `${one.measure === 'ways' ? 'fewer than' : 'more than'} ${number(one.threshold)} ${one.measure}`,
    number(one.found),
    one.verdict,
  ])
  const mix = (one: TrainingMix, mark: string): string[] => [
    mark,
    `${one.fsdpShards} x ${one.tensorShards}`,
    `${one.fsdpAxes}, ${one.tensorAxes}`,
    seconds(one.seconds),
    seconds(one.mathSeconds),
    seconds(one.fsdpSeconds),
    seconds(one.tensorSeconds),
    one.verdict,
  ]
  const mixes = [mix(plan.best, '*'), ...plan.alternatives.map((one) => mix(one, ''))]
  return [
    `${input.model} on ${number(plan.chips)} x ${plan.accelerator}`,
    '',
    table(['', ''], facts),
    '',
    table(['scheme', 'compute-bound with', right('here'), 'verdict'], schemes),
    '',
    table(
      [
        '',
        'FSDP x tensor (* the fastest)',
        'axes',
        right('layer forward'),
        right('arithmetic'),
        right('FSDP'),
        right('tensor'),
        'verdict',
      ],
      mixes,
    ),
    ...(plan.acrossSlices === undefined
      ? []
      : [
          '',
          `Between slices: ${plan.acrossSlices.verdict}, at least ${number(plan.acrossSlices.minTokensPerSlice)} tokens a slice (here ${number(plan.acrossSlices.tokensPerSlice)})`,
        ]),
    '',
    ...plan.assumptions.map((assumption) => `assumed: ${assumption}`),
  ].join('\n')
}

import type { Architecture } from '@windtunnel/models'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  model: Argument.String('model').pipe(
    Argument.withDescription('A model of the registry, or a Hugging Face config.json; without it all are listed.'),
    Argument.optional,
  ),
  json: jsonFlag,
}

interface Input {
  readonly model: Option.Option<string>
  readonly json: boolean
}

export const models = Command.make(
  'models',
  flags,
  action((input: Input) => (Option.isSome(input.model) ? showOne(input.model.value, input.json) : showAll(input.json))),
).pipe(
  Command.withDescription('Show models: parameters, layers, KV bytes per token, FLOPs per token.'),
  Command.withExamples([
    { command: 'windtunnel models', description: 'All models' },
    { command: 'windtunnel models ./config.json', description: 'A model from its Hugging Face configuration' },
  ]),
)

async function figuresOf(architecture: Architecture) {
  const { kvBytesPerToken, parameterCounts, recurrentStateBytes, weightFlopsPerToken } = await import(
    '@windtunnel/models'
  )
  const counts = parameterCounts(architecture)
  return {
    name: architecture.name,
    title: architecture.title,
    layers: architecture.layers.length,
    hiddenSize: architecture.hiddenSize,
    vocabSize: architecture.vocabSize,
    maxContextTokens: architecture.maxContextTokens,
    parameters: counts,
    kvBytesPerTokenBf16: kvBytesPerToken(architecture, 2),
    recurrentStateBytes: recurrentStateBytes(architecture),
    weightFlopsPerToken: weightFlopsPerToken(architecture),
    source: architecture.source,
  }
}

async function showAll(json: boolean): Promise<void> {
  const { model, modelNames } = await import('@windtunnel/models')
  const { print, printJson } = await import('../output/print.ts')
  const { bytes, flops, number, parameters } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const all = await Promise.all(modelNames.map((name) => figuresOf(model(name))))
  if (json) return printJson(all)
  const rows = all.map((one) => [
    one.name,
    parameters(one.parameters.total),
    parameters(one.parameters.activated),
    number(one.layers),
    number(one.hiddenSize),
    bytes(one.kvBytesPerTokenBf16),
    flops(one.weightFlopsPerToken),
    number(one.maxContextTokens),
  ])
  const columns = [
    'model',
    right('parameters'),
    right('activated'),
    right('layers'),
    right('hidden'),
    right('KV/token (bf16)'),
    right('FLOP/token'),
    right('context'),
  ]
  await print(table(columns, rows))
}

async function showOne(name: string, json: boolean): Promise<void> {
  const { findModel } = await import('../input/modelFile.ts')
  const { layerShapes } = await import('@windtunnel/models')
  const { print, printJson } = await import('../output/print.ts')
  const { bytes, flops, number, parameters } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const architecture = await findModel(name)
  const figures = await figuresOf(architecture)
  const layers = layerShapes(architecture)
  if (json) return printJson({ ...figures, layerKinds: layers })
  const { total, activated, activatedInMatmuls, ...parts } = figures.parameters
  const partRows = Object.entries(parts)
    .filter(([, count]) => count > 0)
    .map(([part, count]) => [part, parameters(count), `${number((count / total) * 100, 3)} %`])
  const layerRows = layers.map((layer) => [
    number(layer.count),
    layer.kind,
    `${layer.queryHeads}/${layer.kvHeads}`,
    number(layer.headDim),
    number(layer.windowTokens),
    parameters(layer.attentionParameters),
    parameters(layer.mlpParameters),
    parameters(layer.activatedMlpParameters),
  ])
  const facts = [
    ['parameters', `${parameters(total)} (${number(total)}), ${parameters(activated)} activated by a token`],
    [
      'layers',
      `${figures.layers} of hidden size ${number(figures.hiddenSize)}, vocabulary ${number(figures.vocabSize)}`,
    ],
    ['context', `${number(figures.maxContextTokens)} tokens`],
    ['KV cache', `${bytes(figures.kvBytesPerTokenBf16)} a token in bf16`],
    ['forward', `${flops(figures.weightFlopsPerToken)} a token, attention over the context apart`],
    ['source', figures.source],
  ]
  await print(
    [
      `${figures.title} (${figures.name})`,
      '',
      table(['', ''], facts),
      '',
      table(['part', right('parameters'), right('share')], partRows),
      '',
      table(
        [
          right('layers'),
          'attention',
          right('heads/KV'),
          right('head'),
          right('window'),
          right('attention'),
          right('MLP'),
          right('activated'),
        ],
        layerRows,
      ),
    ].join('\n'),
  )
}

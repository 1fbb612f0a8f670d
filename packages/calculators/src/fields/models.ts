import { type TensorBytes, tensorBytes, type UniformModel } from '@windtunnel/cost/deployment/tensorBytes'
import type { StepModel } from '@windtunnel/cost/deployment/tensorParallelStep'
import { type Architecture, layerShapes, model, modelNames } from '@windtunnel/models'
import { InputError } from '../edge/inputError.ts'
import { requireChosen } from '../edge/requireChosen.ts'
import { bytes, count, degree, flag, group, optional, quantity, text, type Values, withDefault } from './field.ts'

/** The sizes of a model whose layers are all alike. */
export const shapeFields = {
  name: optional(text('Name, for the reader.')),
  layers: degree('Layers.'),
  hidden: degree('Hidden size.'),
  qHeads: degree('Query heads.'),
  kvHeads: degree('KV heads.'),
  headDim: degree('Elements of one head.'),
  ffn: optional(degree('Width of the gated dense feed-forward.')),
  experts: optional(degree('Routed experts of a layer.')),
  topK: optional(degree('Experts that one token visits.')),
  expertFfn: optional(degree('Width of one gated expert.')),
  vocab: degree('Entries of the vocabulary.'),
  weightBytes: withDefault(quantity('B', 'Bytes of one weight; 2 for BF16.', { above: 0 }), 2),
  qkNorm: withDefault(flag('Norms on queries and keys.'), true),
  tiedEmbeddings: withDefault(flag('The output head is the embedding, stored once.'), false),
}

/** A model of the registry as those sizes. Throws InputError unless its layers are alike, with grouped attention. */
function shapeOf(architecture: Architecture) {
  const shapes = layerShapes(architecture)
  const [shape] = shapes
  if (shape === undefined || shapes.length > 1 || shape.kind === 'latent' || shape.kind === 'linear')
    throw InputError.at(
      'model',
      `the layers of ${architecture.name} are not all alike with grouped attention; write its sizes out`,
    )
  const { mlp, queryHeads, kvHeads, headDim } = shape
  const feedForward =
    mlp.kind === 'dense'
      ? { ffn: mlp.intermediateSize }
      : { experts: mlp.experts, topK: mlp.expertsPerToken, expertFfn: mlp.expertIntermediateSize }
  return {
    name: architecture.name,
    layers: shape.count,
    hidden: architecture.hiddenSize,
    qHeads: queryHeads,
    kvHeads,
    headDim,
    ...feedForward,
    vocab: architecture.vocabSize,
    weightBytes: 2,
    qkNorm: shape.qkNorm,
    tiedEmbeddings: architecture.tiedEmbeddings,
  }
}

/** The sizes as the cost functions take them. Throws InputError where the feed-forward is left open. */
export function uniformModel(of: Values<typeof shapeFields>): UniformModel {
  const { experts, topK, expertFfn, ffn } = of
  if (experts !== undefined && (topK === undefined || expertFfn === undefined))
    throw InputError.at('model', 'experts need topK (experts of a token) and expertFfn (width of one) too')
  if (experts !== undefined && topK !== undefined) requireChosen(experts, topK, 'model.topK')
  if (experts === undefined && ffn === undefined)
    throw InputError.at('model', 'give either ffn (width of the dense feed-forward) or experts, topK and expertFfn')
  return { ...of, queryHeads: of.qHeads }
}

const named = <T>(make: (architecture: Architecture) => T) => ({
  what: 'the name of a registered model',
  names: modelNames,
  make: (name: string) => make(model(name)),
})

export const shapeModel = group(shapeFields, 'Sizes of the model, or its name.', { named: named(shapeOf) })

/** What a decode step of a model reads, as totals. */
const stepFields = {
  name: optional(text('Name, for the reader.')),
  layers: degree('Layers.'),
  layerBytes: bytes('Matrices of one layer that a token uses, norms left out.'),
  kvPerToken: bytes('KV of one token over all layers.'),
  lmHeadBytes: bytes('Output head.'),
  kvHeads: degree('KV heads.'),
  residentBytes: optional(bytes('All weights, as kept in memory.')),
  kvProjectionBytes: withDefault(
    bytes('K and V projections of one layer, part of layerBytes; needed where they are copied.'),
    0,
  ),
}

function stepModelOf(architecture: Architecture) {
  const shape = shapeOf(architecture)
  const sizes: UniformModel = { ...shape, queryHeads: shape.qHeads }
  const all: TensorBytes = tensorBytes(sizes)
  const chosen = 'topK' in shape ? shape.layers * shape.topK * all.oneExpert + all.routers : 0
  return {
    name: shape.name,
    layers: shape.layers,
    layerBytes: (all.queryAndOutput + all.keyAndValue + all.feedForward + chosen) / shape.layers,
    kvPerToken: 2 * shape.layers * shape.kvHeads * shape.headDim * 2,
    lmHeadBytes: sizes.tiedEmbeddings ? all.embedding : all.outputHead,
    kvHeads: shape.kvHeads,
    residentBytes: all.total,
    kvProjectionBytes: all.keyAndValue / shape.layers,
  }
}

export const stepModel = withDefault(
  group(stepFields, 'What a step reads of the model, or its name.', { named: named(stepModelOf) }),
  'qwen3-32b',
)

/** What a step reads as the cost functions take it. */
export const toStepModel = (of: Values<typeof stepFields>): StepModel => ({
  layers: of.layers,
  layerBytes: of.layerBytes,
  kvBytesPerToken: of.kvPerToken,
  outputHeadBytes: of.lmHeadBytes,
  kvHeads: of.kvHeads,
  kvProjectionBytes: of.kvProjectionBytes,
})

/** AllReduces of a step where left out: one after attention and one after the feed-forward of every layer. */
export const reductions = optional(count('AllReduces of one step, one after another; two a layer where left out.'))

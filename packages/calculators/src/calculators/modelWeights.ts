import { tensorBytes } from '@windtunnel/cost/deployment/tensorBytes'
import { calculator } from '../calculator.ts'
import { bytes, count } from '../fields/field.ts'
import { shapeFields, uniformModel } from '../fields/models.ts'

export const modelWeights = calculator({
  title: 'Bytes of the weights of a model',
  section: 'Memory capacity',
  formula:
    'sum of L (2 h q d + 2 h kv d + 3 h f, or E experts of 3 h f and a router h E, norms) + embedding + output head, times bytes of a weight',
  validity: 'Layers alike, gated feed-forward, no biases. Matrices of a layer leave out norms and routers.',
  example: { layers: 64, hidden: 5120, qHeads: 64, kvHeads: 8, headDim: 128, ffn: 25600, vocab: 151936 },
  input: shapeFields,
  output: {
    weightBytes: bytes('All weights.', { also: ['total_bytes', 'total'] }),
    params: count('Parameters.', { also: ['parameters'] }),
    matrixBytesPerLayer: bytes('Attention and feed-forward (or expert) matrices of one layer.', {
      also: ['layer_bytes'],
    }),
    attentionBytesPerLayer: bytes('Projections of one layer.'),
    ffnBytesPerLayer: bytes('Dense feed-forward of one layer.'),
    expertBytes: bytes('One expert.'),
    expertsBytesPerLayer: bytes('All experts of one layer.'),
    expertsBytesTotal: bytes('All experts.'),
    routerBytesPerLayer: bytes('Router of one layer.'),
    nonExpertBytes: bytes('Everything but the experts.'),
    normBytes: bytes('All norms.'),
    embeddingBytes: bytes('Embedding.'),
    lmHeadBytes: bytes('Output head.'),
  },
  compute: (input) => {
    const model = uniformModel(input)
    const all = tensorBytes(model)
    const { layers, weightBytes } = model
    const attention = (all.queryAndOutput + all.keyAndValue) / layers
    return {
      weightBytes: all.total,
      params: all.total / weightBytes,
      matrixBytesPerLayer: attention + (all.feedForward + all.experts) / layers,
      attentionBytesPerLayer: attention,
      ffnBytesPerLayer: all.feedForward / layers,
      expertBytes: all.oneExpert,
      expertsBytesPerLayer: all.experts / layers,
      expertsBytesTotal: all.experts,
      routerBytesPerLayer: all.routers / layers,
      nonExpertBytes: all.total - all.experts,
      normBytes: all.norms,
      embeddingBytes: all.embedding,
      lmHeadBytes: all.outputHead,
    }
  },
})

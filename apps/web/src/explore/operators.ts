import { matmulDtypeOf, matmulFlopsPerSecond, stepDtypesOf, storedBytes } from '@windtunnel/cost/step/dtypes'
import { kvElementsRead, layerShapes } from '@windtunnel/models'
import type { Deployment } from './deployment.ts'

/** One operator of a forward pass on one accelerator: where it lies under the roofline. */
export interface OperatorPoint {
  name: string
  /** FLOP per byte of memory traffic. */
  intensity: number
  /** What the roofline allows at that intensity, FLOP/s. */
  flopsPerSecond: number
  bound: 'memory' | 'compute'
}

export interface Roof {
  peakFlopsPerSecond: number
  bytesPerSecond: number
  /** Intensity at which memory and compute take equally long, FLOP per byte. */
  ridge: number
}

export const roofOf = ({ accelerator, choice }: Deployment): Roof => {
  const dtypes = stepDtypesOf({ weights: choice.weights, keyValues: choice.keyValues })
  const peakFlopsPerSecond = matmulFlopsPerSecond(accelerator, matmulDtypeOf(dtypes))
  return {
    peakFlopsPerSecond,
    bytesPerSecond: accelerator.hbmBytesPerSecond,
    ridge: peakFlopsPerSecond / accelerator.hbmBytesPerSecond,
  }
}

/** FLOPs and bytes of a matrix of `parameters` that multiplies `tokens` rows, its activations in and out. */
const matmul = (parameters: number, tokens: number, width: number, weightBytes: number) => ({
  flops: 2 * parameters * tokens,
  bytes: parameters * weightBytes + 2 * tokens * width * 2,
})

/**
 * The main operators at the chosen batch (decode) and for a prompt of the chosen context (prefill). Arithmetic intensity
 * = FLOPs / bytes; attention of decode reads the KV of every sequence once (How To Scale Your Model, chapters 1 and 7).
 */
export const operatorPoints = (deployment: Deployment): OperatorPoint[] => {
  const { architecture, choice } = deployment
  const roof = roofOf(deployment)
  const weightBytes = storedBytes[choice.weights]
  const kvBytes = storedBytes[choice.keyValues]
  const shape = layerShapes(architecture).find((layer) => layer.kind !== 'linear') ?? layerShapes(architecture)[0]
  if (shape === undefined) return []
  const { hiddenSize, vocabSize } = architecture
  const { batch, contextTokens } = choice
  const moe = shape.mlp.kind === 'moe' ? shape.mlp : undefined
  const rows = moe === undefined ? batch : Math.max(1, (batch * moe.expertsPerToken) / moe.experts)
  const expertParameters = moe === undefined ? shape.mlpParameters : shape.activatedMlpParameters / moe.expertsPerToken
  const read = kvElementsRead(shape.attention) * kvBytes
  const work: [string, { flops: number; bytes: number }][] = [
    ['decode: attention projections', matmul(shape.attentionParameters, batch, hiddenSize, weightBytes)],
    [moe === undefined ? 'decode: MLP' : 'decode: one expert', matmul(expertParameters, rows, hiddenSize, weightBytes)],
    ['decode: attention over KV', { flops: shape.flopsPerPair * contextTokens, bytes: read * contextTokens }],
    ['decode: unembedding', matmul(hiddenSize * vocabSize, batch, hiddenSize, weightBytes)],
    [
      'prefill: projections and MLP',
      matmul(shape.attentionParameters + shape.activatedMlpParameters, contextTokens, hiddenSize, weightBytes),
    ],
    [
      'prefill: attention',
      {
        flops: (shape.flopsPerPair * contextTokens * contextTokens) / 2,
        bytes: read * contextTokens + 2 * shape.queryHeads * shape.headDim * 2 * contextTokens,
      },
    ],
  ]
  return work.map(([name, { flops, bytes }]) => {
    const intensity = flops / bytes
    return {
      name,
      intensity,
      flopsPerSecond: Math.min(roof.peakFlopsPerSecond, intensity * roof.bytesPerSecond),
      bound: intensity < roof.ridge ? 'memory' : 'compute',
    }
  })
}

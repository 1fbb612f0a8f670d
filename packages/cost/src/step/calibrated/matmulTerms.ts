import { type ElementwiseShape, elementwiseBytesPerToken, passesOf } from '../../calibration/kernels/elementwise.ts'
import { type ExpertShape, expertSeconds, expertTerms, FEW_EXPERTS } from '../../calibration/kernels/experts.ts'
import { type GemmParameters, type GemmShape, gemmSeconds, gemmTerms } from '../../calibration/kernels/gemm.ts'
import { expertMatmulDtypeOf, expertWeightsOf, type StepDtype, storedBytes } from '../dtypes.ts'
import type { Gemm } from '../layerGemms.ts'
import { keyValueHeadsPerRank } from '../layout.ts'
import type { ShardedLayers } from '../shardedModel.ts'
import type { StepBreakdown } from '../stepCost.ts'
import type { CalibratedInput } from './calibratedInput.ts'
import { kernelFor } from './kernelFor.ts'

/** Splits a duration between weights and compute as the two terms behind it stand to each other. */
function addSplit(seconds: number, terms: { memory: number; compute: number }, into: StepBreakdown): void {
  const weights = (seconds * terms.memory) / (terms.memory + terms.compute)
  into.weights += weights
  into.compute += seconds - weights
}

/** The part of the figures that comes from quantising activations first, as far as the engine does so in a pass of its own. */
function quantisationOf({ parameters, overheads }: CalibratedInput, alone: GemmParameters): Partial<GemmParameters> {
  const { quantisationPass } = overheads.step
  const { quantisationEfficiency } = alone
  const launch = parameters.gemm.bf16?.fixedSeconds ?? alone.fixedSeconds
  if (quantisationEfficiency === undefined || quantisationPass === 1 || launch > alone.fixedSeconds) return {}
  return {
    fixedSeconds: launch + quantisationPass * (alone.fixedSeconds - launch),
    quantisationEfficiency: quantisationPass === 0 ? undefined : quantisationEfficiency / quantisationPass,
  }
}

export type AddGemm = (gemm: Gemm, rows: number, count: number, into: StepBreakdown) => void

/** Adds `count` matrix multiplications of `rows` rows in the format of the weights, or in 16 bits for the output head. */
export function gemmAdder(input: CalibratedInput, weights: StepDtype, multiplied: StepDtype): AddGemm {
  const { parameters } = input
  const { parameters: alone, dtype } = kernelFor('matrix multiplication', parameters.gemm, multiplied, input.note)
  const { matmulCompute, matmulMemory } = parameters.serving
  const figures = {
    ...alone,
    ...quantisationOf(input, alone),
    computeEfficiency: alone.computeEfficiency / matmulCompute,
    memoryEfficiency: alone.memoryEfficiency / matmulMemory,
  }
  const shape: GemmShape = { rows: 0, outputs: 0, inputs: 0, weightBytes: storedBytes[weights] }
  return (gemm, rows, count, into) => {
    shape.rows = rows
    shape.outputs = gemm.outputs
    shape.inputs = gemm.inputs
    const seconds = count * gemmSeconds(figures, parameters.peaks, dtype, shape)
    addSplit(seconds, gemmTerms(figures, parameters.peaks, dtype, shape), into)
  }
}

/** How much more than its even share the busiest of many ranks gets under a power law over experts. */
const BUSIEST_RANK = 0.25

/**
 * Kernels that unpack 4-bit experts to multiply them in 16 bits read so much slower, and need so much longer for a layer: for
 * scales, sorting and padding. Fitted on sweeps of two models.
 */
const UNPACKING = { readFactor: 1.2, secondsPerLayer: 40e-6 }

/** Whether experts are stored in a format that the accelerator cannot multiply in. */
function unpacks({ accelerator }: CalibratedInput, stored: StepDtype): boolean {
  const isNative = stored !== 'int4' && accelerator.flopsPerSecond.fp4 !== undefined
  return (stored === 'int4' || stored === 'mxfp4') && !isNative
}

export type AddTokens = (tokens: number, into: StepBreakdown) => void

/**
 * The routed experts of a group of layers. The rank with the busiest experts decides: with expert parallelism it gets
 * 1 + BUSIEST_RANK skew (1 - 1/ep) times its even share.
 */
export function expertAdder(input: CalibratedInput, group: ShardedLayers): AddTokens | undefined {
  const { parameters, overheads, dtypes, routingSkew } = input
  const work = group.experts
  if (work === undefined) return undefined
  const few = work.experts <= FEW_EXPERTS
  const table = few ? parameters.fewExperts : parameters.manyExperts
  const other = few ? parameters.manyExperts : parameters.fewExperts
  const title = few ? 'layers of few experts' : 'layers of many experts'
  const found = kernelFor(title, Object.keys(table).length > 0 ? table : other, expertMatmulDtypeOf(dtypes), input.note)
  const factor = few && storedBytes[found.dtype] === 2 ? overheads.step.fewExpertsFactor : 1
  const ranks = work.expertParallelRanks
  const busiest = 1 + BUSIEST_RANK * routingSkew * (1 - 1 / ranks)
  if (ranks > 1)
    input.note('expert parallelism: figures of undivided layers, busiest rank estimated from the routing skew')
  const stored = expertWeightsOf(dtypes)
  const unpacked = unpacks(input, stored)
  const weightBytes = storedBytes[stored] * (unpacked ? UNPACKING.readFactor : 1)
  const extraSeconds = unpacked ? group.count * UNPACKING.secondsPerLayer : 0
  const shape: ExpertShape = { ...work, tokens: 0, weightBytes }
  return (tokens, into) => {
    shape.tokens = tokens * busiest
    const seconds = expertSeconds(found.parameters, parameters.peaks, found.dtype, shape, routingSkew)
    const terms = expertTerms(found.parameters, parameters.peaks, found.dtype, shape, routingSkew)
    addSplit(group.count * factor * seconds, terms, into)
    into.compute += extraSeconds
  }
}

/** Norms, rotary embedding, activation and residuals of a group of layers. */
export function elementwiseAdder(input: CalibratedInput, group: ShardedLayers): AddTokens {
  const { elementwise, peaks } = input.parameters
  const { shape } = group
  const { tp } = input.layout
  const isRecurrent = shape.kind === 'linear'
  const passes: ElementwiseShape = {
    hiddenSize: input.architecture.hiddenSize,
    heads: shape.queryHeads / tp,
    keyValueHeads: isRecurrent ? shape.kvHeads / tp : keyValueHeadsPerRank(shape.kvHeads, tp),
    headSize: shape.headDim,
    intermediateSize: shape.mlp.kind === 'dense' ? shape.mlp.intermediateSize / tp : 0,
    queryKeyNorm: shape.qkNorm,
  }
  const fixedSeconds = group.count * elementwise.secondsPerPass * passesOf(passes)
  const bandwidth = peaks.hbmBytesPerSecond * elementwise.memoryEfficiency
  const secondsPerToken = (group.count * elementwiseBytesPerToken(passes)) / bandwidth
  return (tokens, into) => {
    into.compute += fixedSeconds + tokens * secondsPerToken
  }
}

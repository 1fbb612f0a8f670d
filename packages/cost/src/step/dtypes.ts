import type { Accelerator, ComputeDtype } from '@windtunnel/hardware'
import { dtypeBytes } from '@windtunnel/models'
import { CostInputError } from '../costInputError.ts'

/**
 * Bytes of one stored element. Block formats count their scales: fp8-block one per 128 x 128 (nothing to speak of),
 * nvfp4 one byte per 16 elements, mxfp4 one per 32.
 */
export const storedBytes = { ...dtypeBytes, 'fp8-block': 1, nvfp4: 0.5625, mxfp4: 0.53125 } as const

/** Number formats a serving engine stores and multiplies in. */
export type StepDtype = keyof typeof storedBytes

export const stepDtypeNames = Object.keys(storedBytes) as readonly StepDtype[]

/** Number formats of one replica. */
export interface StepDtypes {
  weights: StepDtype
  /** Routed experts, where checkpoints keep them in another format than the rest; that of the weights where left out. */
  experts?: StepDtype | undefined
  /** Inputs of the matrix multiplications. 4-bit weights with 16-bit activations multiply at 16-bit speed. */
  activations: StepDtype
  keyValues: StepDtype
}

const weightOnly: readonly StepDtype[] = ['int4', 'mxfp4']

const multipliedAlone = (weights: StepDtype): StepDtype => (weightOnly.includes(weights) ? 'bf16' : weights)

/** Format in which routed experts are stored. */
export const expertWeightsOf = (dtypes: StepDtypes): StepDtype => dtypes.experts ?? dtypes.weights

/** Format in which routed experts are multiplied: their own where they have one, else as everything. */
export const expertMatmulDtypeOf = (dtypes: StepDtypes): StepDtype =>
  dtypes.experts === undefined ? matmulDtypeOf(dtypes) : multipliedAlone(dtypes.experts)

/**
 * Formats from a partial choice. Weights are bf16; activations follow the weights, except for int4 and mxfp4, which
 * engines keep for storage and multiply in bf16; KV is bf16. Throws CostInputError for an unknown format.
 */
export function stepDtypesOf(partial: Partial<StepDtypes> = {}): StepDtypes {
  const weights = partial.weights ?? 'bf16'
  const activations = partial.activations ?? multipliedAlone(weights)
  const { experts } = partial
  const dtypes: StepDtypes = {
    weights,
    ...(experts === undefined ? {} : { experts }),
    activations,
    keyValues: partial.keyValues ?? 'bf16',
  }
  for (const [quantity, found] of Object.entries(dtypes)) {
    if (!Object.hasOwn(storedBytes, found)) {
      throw new CostInputError({ where: 'dtypes', quantity, expected: `one of ${stepDtypeNames.join(', ')}`, found })
    }
  }
  return dtypes
}

/** The format in which the multiplications run: the wider of weights and activations. */
export const matmulDtypeOf = (dtypes: StepDtypes): StepDtype =>
  storedBytes[dtypes.activations] > storedBytes[dtypes.weights] ? dtypes.activations : dtypes.weights

const multipliedAs: Partial<Record<StepDtype, ComputeDtype>> = {
  'fp8-block': 'fp8',
  nvfp4: 'fp4',
  mxfp4: 'fp4',
  fp16: 'bf16',
}

const computeDtypeOf = (dtype: StepDtype): ComputeDtype => multipliedAs[dtype] ?? (dtype as ComputeDtype)

/** Dense 16-bit peak: that of bf16, else fp16, else half of the fp8 peak (`arithmeticNotes` says so). FLOP/s. */
export function sixteenBitFlopsPerSecond({ flopsPerSecond }: Accelerator): number | undefined {
  const { bf16, fp16, fp8 } = flopsPerSecond
  return bf16 ?? fp16 ?? (fp8 === undefined ? undefined : fp8 / 2)
}

/**
 * Dense peak in FLOP/s for a format. What the hardware cannot multiply in runs at its 16-bit peak. Throws CostInputError
 * when that is not published and cannot be told.
 */
export function matmulFlopsPerSecond(accelerator: Accelerator, dtype: StepDtype): number {
  const peaks = accelerator.flopsPerSecond
  const found = peaks[computeDtypeOf(dtype)] ?? sixteenBitFlopsPerSecond(accelerator)
  if (found !== undefined) return found
  throw new CostInputError({
    where: `step cost on ${accelerator.name}`,
    quantity: 'flopsPerSecond',
    expected: `a peak of ${dtype}, bf16, fp16 or fp8`,
    found: Object.keys(peaks).join(', '),
  })
}

/** Sentences about what the hardware does not multiply in, or nobody published. */
export function arithmeticNotes(accelerator: Accelerator, dtypes: StepDtypes): string[] {
  const { name, flopsPerSecond: peaks } = accelerator
  const unpublished = (peaks.bf16 ?? peaks.fp16) === undefined
  const dtype = matmulDtypeOf(dtypes)
  if (peaks[computeDtypeOf(dtype)] !== undefined) return []
  const sixteen = storedBytes[dtype] === 2
  return [
    ...(sixteen ? [] : [`${name} does not multiply in ${dtype}: at its 16-bit peak`]),
    ...(unpublished ? [`no published 16-bit peak for ${name}: half of its fp8 peak`] : []),
  ]
}

/** Formats in which the hardware multiplies faster than in these, with how many times, the fastest last. */
export function fasterFormats(
  accelerator: Accelerator,
  dtypes: StepDtypes,
): readonly { readonly dtype: StepDtype; readonly times: number }[] {
  const now = matmulFlopsPerSecond(accelerator, matmulDtypeOf(dtypes))
  return (['fp8', 'int8', 'fp4', 'int4'] as const)
    .map((dtype) => ({ dtype, times: (accelerator.flopsPerSecond[dtype] ?? 0) / now }))
    .filter(({ times }) => times > 1)
    .sort((a, b) => a.times - b.times)
}

/** Bytes of one activation as it travels between accelerators: 16 bits in every engine modelled here. */
export const TRAVELLING_ACTIVATION_BYTES = 2

import { CostInputError, requireCount, requirePositive } from '../costInputError.ts'

/**
 * FLOPs of a tensor contraction: 2 x the product of all distinct dimensions, batching and contracted ones counted once.
 * Without a contracted dimension there is nothing to add, and the factor is 1. Book ch. 4, M1.
 */
export function contractionFlops(inputs: {
  /** Sizes of the dimensions of the output: batching dimensions and those only one operand has. */
  outputSizes: readonly number[]
  /** Sizes of the dimensions summed over; empty for an outer or elementwise product. */
  contractedSizes: readonly number[]
}): number {
  const sizes = [...inputs.outputSizes, ...inputs.contractedSizes]
  for (const size of sizes) requireCount('contractionFlops', { size })
  return sizes.reduce((product, size) => product * size, inputs.contractedSizes.length > 0 ? 2 : 1)
}

/**
 * FLOPs of a contraction written out, as `A[I,J,K,L]*B[I,J,M]->C[K,L,M]`: dimensions of the operands that the output
 * lacks are contracted. Dimension names are separated by commas or spaces. Book ch. 4, M1.
 * @throws CostInputError on text that is not of this form, an output dimension no operand has, or a size not given.
 */
export function writtenContractionFlops(inputs: {
  contraction: string
  sizes: Readonly<Record<string, number>>
}): number {
  const where = 'writtenContractionFlops'
  const [left, right, output] = operandsOf(where, inputs.contraction)
  const given = new Set([...left, ...right])
  const unknown = output.find((name) => !given.has(name))
  if (unknown !== undefined) {
    throw new CostInputError({ where, quantity: 'output', expected: `dimensions of an operand`, found: unknown })
  }
  const sizeOf = (name: string): number => {
    const size = inputs.sizes[name]
    if (size === undefined) {
      throw new CostInputError({ where, quantity: `sizes.${name}`, expected: 'given', found: undefined })
    }
    return size
  }
  return contractionFlops({
    outputSizes: output.map(sizeOf),
    contractedSizes: [...given].filter((name) => !output.includes(name)).map(sizeOf),
  })
}

type Dimensions = readonly string[]

function operandsOf(where: string, contraction: string): readonly [Dimensions, Dimensions, Dimensions] {
  const groups = [...contraction.matchAll(/\[([^\]]*)\]/g)].map((match) =>
    (match[1] ?? '').split(/[\s,]+/).filter((name) => name !== ''),
  )
  const [left, right, output] = groups
  const shape = /^[^[\]]*\[[^[\]]*\]\s*[*x·]\s*[^[\]]*\[[^[\]]*\]\s*(->|=>|→)\s*[^[\]]*\[[^[\]]*\]\s*$/u
  if (left === undefined || right === undefined || output === undefined || !shape.test(contraction)) {
    throw new CostInputError({
      where,
      quantity: 'contraction',
      expected: 'of the form A[I,J]*B[J,K]->C[I,K]',
      found: contraction,
    })
  }
  return [left, right, output]
}

/** FLOPs of the matmul [rows, inner] x [inner, columns] forward, backward and together: 2, 4 and 6 times the product. M2. */
export function matmulTrainingFlops(inputs: { rows: number; inner: number; columns: number }): {
  forwardFlops: number
  backwardFlops: number
  totalFlops: number
} {
  const { rows, inner, columns } = inputs
  requirePositive('matmulTrainingFlops', { rows, inner, columns })
  const product = rows * inner * columns
  return { forwardFlops: 2 * product, backwardFlops: 4 * product, totalFlops: 6 * product }
}

/**
 * FLOPs of the matmul [rows, inner] x [inner, columns] sharded over some mesh axes while others idle: every idle replica
 * repeats the work. Book ch. 4, M16.
 */
export function idleAxisMatmulFlops(inputs: {
  rows: number
  inner: number
  columns: number
  /** Product of the mesh axes that shard the matmul. */
  shards: number
  /** Product of the mesh axes that do not. */
  idleReplicas: number
}): { totalFlops: number; flopsPerDevice: number; wastedShare: number } {
  const { rows, inner, columns, shards, idleReplicas } = inputs
  requirePositive('idleAxisMatmulFlops', { rows, inner, columns, shards, idleReplicas })
  const once = 2 * rows * inner * columns
  return {
    totalFlops: once * idleReplicas,
    flopsPerDevice: once / shards,
    wastedShare: 1 - 1 / idleReplicas,
  }
}

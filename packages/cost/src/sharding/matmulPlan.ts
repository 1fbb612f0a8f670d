import { product } from '@windtunnel/hardware'
import type { MeshLink } from '../collectives/deviceLinks.ts'
import { mathSeconds } from '../rooflines/time.ts'
import { showSteps } from './collectiveStep.ts'
import type { MatmulDims } from './matmulDims.ts'
import { axesSize, type Dims, dimLength, localArray, type Mesh, meshDevices } from './mesh.ts'
import type { ShardedArray, ShardedMatmul } from './notation.ts'
import { type DimAxes, gatherWider, reduceTo, reshard } from './reshard.ts'
import { type CostedStep, type CostedSteps, costSteps } from './stepCosts.ts'

export interface MatmulPlanInput {
  readonly mesh: Mesh
  /** Length of each named dimension. */
  readonly dims: Dims
  /** Of all three arrays; 2 (bf16) unless given. */
  readonly bytesPerElement?: number
  /** Links of each mesh axis; without them the plans have bytes and no times. */
  readonly links?: Readonly<Record<string, MeshLink>>
  /** Peak of one device, FLOP/s; without it the plans have FLOPs and no times. */
  readonly peakFlopsPerSecond?: number
  /** Whether collectives hide behind the arithmetic: the longer of both then counts, else the sum. True unless given. */
  readonly overlap?: boolean
  /**
   * Whether to plan gathers over idle axes too: an array replicated over an axis is sliced over it for free, then
   * gathered over more axes at once. Book C16. False unless given.
   */
  readonly useIdleAxes?: boolean
}

/** One way to carry out the matmul. Times in seconds, undefined where links or peak were not given. */
export interface MatmulPlan {
  /** `AllGather_X(A)`, `AllReduce_X(C)`, `none` ... free slices included. */
  readonly label: string
  readonly steps: readonly CostedStep[]
  /** Local shapes while multiplying. */
  readonly localShapes: {
    readonly left: readonly number[]
    readonly right: readonly number[]
    readonly result: readonly number[]
  }
  readonly flopsPerDevice: number
  /** Over all devices; idle axes repeat the work. Book M16. */
  readonly totalFlops: number
  /** The book's V of all collectives together. */
  readonly collectiveBytes: number
  /** Operands and result at their largest on one device. */
  readonly peakBytesPerDevice: number
  readonly mathSeconds: number | undefined
  readonly collectiveSeconds: number | undefined
  readonly seconds: number | undefined
  readonly bound: 'compute' | 'communication' | undefined
}

/** What all plans of one matmul share. */
export interface PlanContext {
  readonly matmul: ShardedMatmul
  readonly kinds: MatmulDims
  readonly input: MatmulPlanInput
  readonly bytesPerElement: number
}

export const layoutOf = (array: ShardedArray): DimAxes =>
  Object.fromEntries(array.dims.map(({ name, axes }) => [name, axes]))
export const dimsOf = (array: ShardedArray): string[] => array.dims.map(({ name }) => name)

/** The array as it is sharded while the devices multiply. */
const under = (array: ShardedArray, layout: DimAxes, unreduced: readonly string[] = []): ShardedArray => ({
  name: array.name,
  dims: array.dims.map(({ name }) => ({ name, axes: layout[name] ?? [] })),
  unreduced,
})

/** The steps of one operand from its sharding to the one it is multiplied in; gathers over idle axes too if `wide`. */
function operandSteps(context: PlanContext, operand: ShardedArray, layout: DimAxes, wide: boolean): CostedSteps {
  const { mesh, dims, links } = context.input
  const names = dimsOf(operand)
  const target = Object.fromEntries(names.map((name) => [name, layout[name] ?? []]))
  const { elements } = localArray(operand, dims, mesh)
  const steps = reshard(operand.name, names, layoutOf(operand), target)
  const used = [...Object.values(layoutOf(operand)), ...Object.values(target)].flat()
  const idle = Object.keys(mesh).filter((axis) => !used.includes(axis) && mesh[axis]! > 1)
  const widened = wide && elements % axesSize(mesh, idle, operand.name) === 0 ? gatherWider(steps, idle) : steps
  return costSteps(widened, elements * context.bytesPerElement, mesh, links)
}

/** The plan that multiplies under one sharding of the dimensions. */
export function planUnder(context: PlanContext, layout: DimAxes, wide = false): MatmulPlan {
  const { matmul, kinds, input, bytesPerElement } = context
  const { left, right, result } = matmul
  const { mesh, dims, links } = input
  const partialAxes = kinds.contracted.flatMap((dim) => layout[dim] ?? [])
  const operands = [left, right].map((operand) => operandSteps(context, operand, layout, wide))
  const local = [under(left, layout), under(right, layout), under(result, layout, partialAxes)].map((array) =>
    localArray(array, dims, mesh),
  )
  const names = dimsOf(result)
  const produced = { layout: Object.fromEntries(names.map((name) => [name, layout[name] ?? []])), partialAxes }
  const finish = reduceTo(result.name, names, produced, { layout: layoutOf(result), unreduced: result.unreduced })
  const finished = costSteps(finish, local[2]!.elements * bytesPerElement, mesh, links)
  const arrays = [...operands, finished]
  const steps = arrays.flatMap((one) => one.steps)
  const splits = Object.values(layout).flat()
  const all = product([...new Set([...dimsOf(left), ...dimsOf(right)])].map((dim) => dimLength(dim, dims, 'matmul')))
  const flopsPerDevice = (2 * all) / axesSize(mesh, splits, 'matmul')
  return {
    label: showSteps(steps),
    steps,
    localShapes: { left: local[0]!.shape, right: local[1]!.shape, result: local[2]!.shape },
    flopsPerDevice,
    totalFlops: flopsPerDevice * meshDevices(mesh),
    collectiveBytes: steps.reduce((sum, step) => sum + step.bytes, 0),
    peakBytesPerDevice: arrays.reduce((sum, one) => sum + one.peakLocalBytes, 0),
    ...planTimes(steps, flopsPerDevice, input),
  }
}

function planTimes(steps: readonly CostedStep[], flopsPerDevice: number, input: MatmulPlanInput) {
  const { peakFlopsPerSecond, overlap = true } = input
  const math = peakFlopsPerSecond === undefined ? undefined : mathSeconds(flopsPerDevice, peakFlopsPerSecond)
  const collective = steps.some((step) => step.seconds === undefined)
    ? undefined
    : steps.reduce((sum, step) => sum + (step.seconds ?? 0), 0)
  if (math === undefined || collective === undefined) {
    return { mathSeconds: math, collectiveSeconds: collective, seconds: undefined, bound: undefined }
  }
  const seconds = overlap ? Math.max(math, collective) : math + collective
  const bound = math >= collective ? ('compute' as const) : ('communication' as const)
  return { mathSeconds: math, collectiveSeconds: collective, seconds, bound }
}

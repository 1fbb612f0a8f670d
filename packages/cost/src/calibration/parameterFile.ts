import { CostInputError } from '../costInputError.ts'
import type { FrontEndOverheads, StepOverheads } from '../step/engineOverheads/index.ts'
import type { KernelParameters } from './kernelParameters.ts'

/** Overheads of one engine on the user's own system, in place of the registered ones. */
export interface FittedEngine {
  /** Engine and version, as `vllm-0.15.1`. */
  name: string
  /** Which runs they were fitted to. */
  source: string
  step?: Partial<StepOverheads>
  frontEnd?: Partial<FrontEndOverheads>
}

/** What a calibration wrote: kernel figures of accelerators, overheads of engines, or both. */
export interface ParameterFile {
  /** Rises when a field changes its meaning. */
  windtunnelParameters: 1
  kernels: readonly KernelParameters[]
  engines: readonly FittedEngine[]
}

/** A number with four significant digits: more is noise. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

export const parameterFileJson = (file: ParameterFile): string => `${JSON.stringify(file, rounded, 2)}\n`

const KERNEL_GROUPS = [
  'peaks',
  'gemm',
  'decodeAttention',
  'prefillAttention',
  'latentDecode',
  'latentPrefill',
  'fewExperts',
  'manyExperts',
  'smallAllReduce',
  'largeAllReduce',
  'elementwise',
  'serving',
] as const

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

function reject(where: string, quantity: string, expected: string, found: unknown): never {
  throw new CostInputError({ where, quantity, expected, found: typeof found === 'number' ? found : String(found) })
}

/** Reads the text of a parameter file. Throws CostInputError where it is none, with the place. */
export function readParameterFile(text: string, where: string): ParameterFile {
  let document: unknown
  try {
    document = JSON.parse(text)
  } catch (error) {
    reject(where, 'document', 'JSON', error instanceof Error ? error.message : error)
  }
  if (!isObject(document) || document['windtunnelParameters'] !== 1) {
    const found = isObject(document) ? document['windtunnelParameters'] : document
    reject(where, 'windtunnelParameters', '1: a file that windtunnel calibrate wrote', found)
  }
  const kernels = listOf(document, 'kernels', where)
  const engines = listOf(document, 'engines', where)
  kernels.forEach((entry, i) => {
    if (!isObject(entry) || typeof entry['accelerator'] !== 'string') {
      reject(where, `kernels[${i}].accelerator`, 'the name of an accelerator', entry)
    }
    for (const group of KERNEL_GROUPS) {
      if (!isObject(entry[group])) reject(where, `kernels[${i}].${group}`, 'present', entry[group])
    }
  })
  engines.forEach((entry, i) => {
    if (!isObject(entry) || typeof entry['name'] !== 'string') {
      reject(where, `engines[${i}].name`, 'an engine and its version, as vllm-0.15.1', entry)
    }
    requireNumbers(entry['step'], where, `engines[${i}].step`)
    requireNumbers(entry['frontEnd'], where, `engines[${i}].frontEnd`)
  })
  return {
    windtunnelParameters: 1,
    kernels: kernels as unknown as readonly KernelParameters[],
    engines: engines as unknown as readonly FittedEngine[],
  }
}

function listOf(document: Record<string, unknown>, key: string, where: string): readonly unknown[] {
  const value = document[key] ?? []
  return Array.isArray(value) ? value : reject(where, key, 'a list', value)
}

/** Every figure, also in nested groups, must be a number >= 0. */
function requireNumbers(value: unknown, where: string, quantity: string): void {
  if (value === undefined) return
  if (isObject(value)) {
    for (const [key, inner] of Object.entries(value)) requireNumbers(inner, where, `${quantity}.${key}`)
    return
  }
  if (typeof value !== 'number' || !(value >= 0)) reject(where, quantity, 'a number >= 0', value)
}

/** Kernel figures of the file for an accelerator; undefined where it has none. */
export const fittedKernels = (file: ParameterFile, accelerator: string): KernelParameters | undefined =>
  file.kernels.find((kernels) => kernels.accelerator === accelerator)

/** Overheads of the file for an engine (`vllm-0.15.1`); those of another version of it where its own are not there. */
export const fittedEngine = (file: ParameterFile, name: string): FittedEngine | undefined =>
  file.engines.find((engine) => engine.name === name) ??
  file.engines.find(
    (engine) => engine.name.slice(0, engine.name.lastIndexOf('-')) === name.slice(0, name.lastIndexOf('-')),
  )

import { type StepDtype, stepDtypeNames } from '@windtunnel/cost/step/dtypes'
import { acceleratorNames } from '@windtunnel/hardware'
import { modelNames } from '@windtunnel/models'

/** What the explore view is asked about; it lives in the address. */
export interface Choice {
  model: string
  accelerator: string
  tp: number
  /** How step times are computed. */
  backend: ExploreBackend
  weights: StepDtype
  keyValues: StepDtype
  /** Tokens of context of every sequence. */
  contextTokens: number
  /** Sequences in a step. */
  batch: number
  /** Output tokens per second that the fleet must generate. */
  load: number
  /** US dollars per accelerator and hour; undefined for the list price. */
  price: number | undefined
}

export const backends = ['calibrated', 'roofline'] as const
export type ExploreBackend = (typeof backends)[number]

export const contexts = [1024, 2048, 4096, 8192, 16_384, 32_768, 131_072] as const
export const tpDegrees = [1, 2, 4, 8, 16] as const

const among = <Value extends string | number>(
  found: string | null,
  allowed: readonly Value[],
  otherwise: Value,
): Value => allowed.find((value) => String(value) === found) ?? otherwise

const positive = (found: string | null): number | undefined => {
  const number = Number(found)
  return found !== null && Number.isFinite(number) && number > 0 ? number : undefined
}

export const choiceFrom = (parameters: URLSearchParams): Choice => ({
  model: among<string>(parameters.get('model'), modelNames, 'llama-3.1-70b'),
  accelerator: among<string>(parameters.get('accelerator'), acceleratorNames, 'h100-sxm'),
  tp: among<number>(parameters.get('tp'), tpDegrees, 4),
  backend: among<ExploreBackend>(parameters.get('backend'), backends, 'calibrated'),
  weights: among<StepDtype>(parameters.get('weights'), stepDtypeNames, 'bf16'),
  keyValues: among<StepDtype>(parameters.get('kv'), stepDtypeNames, 'bf16'),
  contextTokens: among<number>(parameters.get('context'), contexts, 8192),
  batch: Math.max(1, Math.round(positive(parameters.get('batch')) ?? 32)),
  load: positive(parameters.get('load')) ?? 10_000,
  price: positive(parameters.get('price')),
})

export const parametersOf = (choice: Choice): Record<string, string> => ({
  model: choice.model,
  accelerator: choice.accelerator,
  tp: String(choice.tp),
  backend: choice.backend,
  weights: choice.weights,
  kv: choice.keyValues,
  context: String(choice.contextTokens),
  batch: String(choice.batch),
  load: String(choice.load),
  ...(choice.price === undefined ? {} : { price: String(choice.price) }),
})

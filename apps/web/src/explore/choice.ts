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

/** What the amounts of a choice may be. */
export const amounts = {
  batch: { minimum: 1, maximum: 65_536, whole: true },
  load: { minimum: 1, maximum: 1e9, whole: false },
  price: { minimum: 0.001, maximum: 1e6, whole: false },
} as const
export type Amount = keyof typeof amounts

/** The number that a text says, where it is one that the amount may be. */
export const amountIn = (name: Amount, text: string): number | undefined => {
  const { minimum, maximum, whole } = amounts[name]
  const number = Number(text)
  if (text.trim() === '' || !(number >= minimum && number <= maximum)) return undefined
  return whole && !Number.isInteger(number) ? undefined : number
}

/** Such as "a whole number, 1 to 65,536". */
export const amountSentence = (name: Amount): string => {
  const { minimum, maximum, whole } = amounts[name]
  return `${whole ? 'a whole number' : 'a number'}, ${minimum.toLocaleString('en-US')} to ${maximum.toLocaleString('en-US')}`
}

/** Reads parameters, and notes those that say nothing that is known. */
class Reading {
  readonly misread: string[] = []
  private readonly parameters: URLSearchParams

  constructor(parameters: URLSearchParams) {
    this.parameters = parameters
  }

  among<Value extends string | number>(name: string, allowed: readonly Value[], otherwise: Value): Value {
    const text = this.parameters.get(name)
    const found = allowed.find((value) => String(value) === text)
    if (found === undefined && text !== null) this.misread.push(`${name}=${text.slice(0, 40)}`)
    return found ?? otherwise
  }

  amount(name: Amount): number | undefined {
    const text = this.parameters.get(name)
    const found = text === null ? undefined : amountIn(name, text)
    if (found === undefined && text !== null) this.misread.push(`${name}=${text.slice(0, 40)}`)
    return found
  }
}

/** The choice that an address holds, defaults for what it does not say, and what in it cannot be read. */
export const readChoice = (parameters: URLSearchParams): { choice: Choice; misread: readonly string[] } => {
  const reading = new Reading(parameters)
  const choice: Choice = {
    model: reading.among<string>('model', modelNames, 'llama-3.1-70b'),
    accelerator: reading.among<string>('accelerator', acceleratorNames, 'h100-sxm'),
    tp: reading.among<number>('tp', tpDegrees, 4),
    backend: reading.among<ExploreBackend>('backend', backends, 'calibrated'),
    weights: reading.among<StepDtype>('weights', stepDtypeNames, 'bf16'),
    keyValues: reading.among<StepDtype>('kv', stepDtypeNames, 'bf16'),
    contextTokens: reading.among<number>('context', contexts, 8192),
    batch: reading.amount('batch') ?? 32,
    load: reading.amount('load') ?? 10_000,
    price: reading.amount('price'),
  }
  return { choice, misread: reading.misread }
}

export const choiceFrom = (parameters: URLSearchParams): Choice => readChoice(parameters).choice

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

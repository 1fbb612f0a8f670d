import { CannotSteer, UnknownPart } from '../parts/errors.ts'

/** Factors on the lengths that are drawn from now on. What has been drawn stays as it is. */
export interface LengthScales {
  prompt: number
  output: number
}

export const unscaled = (): LengthScales => ({ prompt: 1, output: 1 })

/** What is to change in the mix of traffic; what is absent stays. */
export interface MixChange {
  /** Relative weight (>= 0) of every stream by name: of all arrivals, each gets weight / sum of the weights. */
  readonly weights?: Readonly<Record<string, number>>
  /** Factor on the tokens of prompts, against what the traffic says; 1 is as it says. */
  readonly promptScale?: number
  /** Factor on the tokens generated. */
  readonly outputScale?: number
}

/** One kind of traffic and its share of all arrivals, 0 to 1; undefined where there is no rate to share. */
export interface StreamShare {
  readonly name: string
  readonly share: number | undefined
}

/** The mix of traffic now. */
export interface TrafficMix {
  readonly streams: readonly StreamShare[]
  readonly promptScale: number
  readonly outputScale: number
}

/** Least and greatest factor on lengths. */
export const LENGTH_SCALE_LIMITS = { minimum: 0.01, maximum: 100 } as const

/** `tokens` times `factor`, rounded to a whole number; text that is there keeps at least one token. */
export const scaledTokens = (tokens: number, factor: number): number =>
  factor === 1 || tokens === 0 ? tokens : Math.max(1, Math.round(tokens * factor))

/** Sets the factors that a change names. Throws CannotSteer, and sets nothing, when one is out of bounds. */
export function rescale(scales: LengthScales, { promptScale, outputScale }: MixChange): void {
  checkScale('promptScale', promptScale)
  checkScale('outputScale', outputScale)
  if (promptScale !== undefined) scales.prompt = promptScale
  if (outputScale !== undefined) scales.output = outputScale
}

function checkScale(name: string, factor: number | undefined): void {
  const { minimum, maximum } = LENGTH_SCALE_LIMITS
  if (factor === undefined || (factor >= minimum && factor <= maximum)) return
  throw new CannotSteer(`mix.${name}: expected a factor of ${minimum} to ${maximum}, found ${factor}.`)
}

/** The weights in the order of `names`. Throws CannotSteer or UnknownPart when they are not one for each, with a sum above 0. */
export function orderedWeights(weights: Readonly<Record<string, number>>, names: readonly string[]): number[] {
  const unknown = Object.keys(weights).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new UnknownPart('stream of traffic', unknown, names)
  const ordered = names.map((name) => {
    const weight = Object.hasOwn(weights, name) ? weights[name] : undefined
    if (weight === undefined)
      throw new CannotSteer(`mix.weights: expected a weight for each of ${names.join(', ')}, found none for ${name}.`)
    if (!(weight >= 0 && weight < Number.POSITIVE_INFINITY))
      throw new CannotSteer(`mix.weights: expected a number of at least 0 for ${name}, found ${weight}.`)
    return weight
  })
  if (ordered.some((weight) => weight > 0)) return ordered
  throw new CannotSteer('mix.weights: expected a weight above 0, found none; pause the run to stop all traffic.')
}

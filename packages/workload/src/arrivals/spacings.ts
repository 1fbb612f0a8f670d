import { exp, log, pow, type RandomStream, sin } from '@windtunnel/des'
import type { Spacing } from './arrivalProcess.ts'

export const evenSpacing: Spacing = { next: () => 1 }

export const exponentialSpacing = (random: RandomStream): Spacing => ({ next: () => random.exponential(1) })

/** Gamma distances with coefficient of variation `cv` > 0: shape 1/cv^2. */
export function gammaSpacing(random: RandomStream, cv: number): Spacing {
  const shape = 1 / (cv * cv)
  return { next: () => random.gamma(shape, 1 / shape) }
}

/** Weibull distances of the given shape: bursty below 1, exponential at 1, regular above. */
export function weibullSpacing(random: RandomStream, shape: number): Spacing {
  const scale = exp(-logGamma(1 + 1 / shape))
  return { next: () => scale * pow(-log(1 - random.uniform()), 1 / shape) }
}

/** Coefficients of Lanczos' series for g = 7, n = 9. */
const LANCZOS = [
  0.9999999999998099, 676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
]

/** The logarithm of the gamma function for x > 0 (Lanczos), about 15 digits. */
export function logGamma(x: number): number {
  if (x < 0.5) return log(Math.PI / sin(Math.PI * x)) - logGamma(1 - x)
  const y = x - 1
  let sum = LANCZOS[0]!
  for (let i = 1; i < LANCZOS.length; i++) sum += LANCZOS[i]! / (y + i)
  const t = y + 7.5
  return 0.9189385332046728 + (y + 0.5) * log(t) - t + log(sum)
}

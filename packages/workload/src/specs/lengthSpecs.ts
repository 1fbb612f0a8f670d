import { exp } from '@windtunnel/des'
import type { PartSpec } from '../parts/option.ts'
import type { SpecTable } from './table.ts'

export const fixedLength = (tokens: number): PartSpec => ({ name: 'fixed', tokens })

const bounds = (minimum: number | undefined, maximum: number | undefined): Record<string, number> => ({
  ...(minimum === undefined ? {} : { minimum }),
  ...(maximum === undefined ? {} : { maximum }),
})

/** A lognormal given by the mean and deviation of the logarithm. */
export function logLength(mu: number, sigma: number, limits: Record<string, number> = {}): PartSpec {
  const variance = sigma * sigma
  return { name: 'lognormal', mean: exp(mu + variance / 2), cv: Math.sqrt(exp(variance) - 1), ...limits }
}

/** A normal distribution, or a fixed length where it does not vary. */
export const normalLength = (mean: number, standardDeviation: number, minimum?: number, maximum?: number): PartSpec =>
  standardDeviation === 0
    ? fixedLength(Math.round(mean))
    : { name: 'normal', mean, standardDeviation, ...bounds(minimum, maximum) }

/** A distribution as BLIS writes it: type and params. */
export function blisLength(table: SpecTable): PartSpec {
  const type = table.text('type')
  const params = table.has('params') ? table.child('params') : table
  const limits = bounds(params.optionalNumber('min'), params.optionalNumber('max'))
  switch (type) {
    case 'constant':
      return fixedLength(params.number('value'))
    case 'gaussian':
    case 'normal':
      return normalLength(params.number('mean'), params.number('std_dev'), limits['minimum'], limits['maximum'])
    case 'exponential':
      return { name: 'exponential', mean: params.number('mean'), ...limits }
    case 'uniform':
      return { name: 'uniform', minimum: params.number('min'), maximum: params.number('max') }
    case 'lognormal':
      return logLength(params.number('mu'), params.number('sigma'), limits)
    case 'pareto':
      return { name: 'pareto', shape: params.number('alpha'), scale: params.number('xm'), ...limits }
    default:
      throw table.error('type', 'one of constant, gaussian, exponential, uniform, lognormal, pareto')
  }
}

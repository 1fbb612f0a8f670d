import type { PartSpec } from '../parts/option.ts'
import type { ImportedTraffic } from './importedTraffic.ts'
import { fixedLength, logLength, normalLength } from './lengthSpecs.ts'
import { SpecTable } from './table.ts'

/** Traffic of an inference-lab workload, parsed from its TOML. Throws SpecError. */
export function inferenceLabTraffic(parsed: unknown): ImportedTraffic {
  const spec = new SpecTable('workload', parsed)
  const structure = {
    name: 'single',
    input: length(spec.child('input_len_dist')),
    output: length(spec.child('output_len_dist')),
  }
  const limits = {
    seed: spec.number('seed', 1),
    ...(spec.has('num_requests') ? { requests: spec.number('num_requests') } : {}),
  }
  return {
    traffic: { ...limits, streams: [{ arrivals: arrivals(spec), structure }] },
    tenants: [],
    serviceClasses: [],
    remarks: [],
  }
}

function arrivals(spec: SpecTable): PartSpec {
  switch (spec.text('arrival_pattern')) {
    case 'poisson':
      return { name: 'poisson', requestsPerSecond: spec.number('arrival_rate') }
    case 'constant':
    case 'fixed_rate':
      return { name: 'constant', requestsPerSecond: spec.number('arrival_rate') }
    case 'batched':
      return { name: 'allAtOnce', requests: spec.number('num_requests') }
    case 'closed_loop': {
      const thinkSeconds = spec.number('closed_loop_jitter_secs', 0)
      return { name: 'closedLoop', users: spec.number('num_concurrent_users'), thinkSeconds }
    }
    default:
      throw spec.error('arrival_pattern', 'one of poisson, constant, batched, closed_loop')
  }
}

/** Lengths; the mean and deviation of a lognormal are those of the logarithm. */
function length(table: SpecTable): PartSpec {
  switch (table.text('type')) {
    case 'lognormal':
      return logLength(table.number('mean'), table.number('std_dev'))
    case 'normal':
      return normalLength(table.number('mean'), table.number('std_dev'))
    case 'fixed':
    case 'constant':
      return fixedLength(table.number('value'))
    case 'uniform':
      return { name: 'uniform', minimum: table.number('min'), maximum: table.number('max') }
    default:
      throw table.error('type', 'one of lognormal, normal, fixed, uniform')
  }
}

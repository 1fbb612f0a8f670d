import type { PartSpec } from '../parts/option.ts'
import type { StreamSpec } from '../sources/synthetic.ts'
import { type ImportedTraffic, NameIndices } from './importedTraffic.ts'
import { blisLength, fixedLength } from './lengthSpecs.ts'
import { sharedPrefixStructure, stagedArrivals } from './sharedPrefix.ts'
import { SpecTable } from './table.ts'

/** Traffic of a BLIS workload specification (inference-sim), parsed from its YAML. Throws SpecError. */
export function blisTraffic(parsed: unknown): ImportedTraffic {
  const spec = new SpecTable('workload', parsed)
  const limits = {
    seed: spec.number('seed', 1),
    ...(spec.has('num_requests') ? { requests: spec.number('num_requests') } : {}),
  }
  const whole = spec.optionalChild('inference_perf')
  if (whole !== undefined)
    return {
      traffic: { ...limits, streams: [wholeStream(whole)] },
      tenants: [],
      serviceClasses: [],
      remarks: remarksOf(whole),
    }
  const tenants = new NameIndices()
  const classes = new NameIndices()
  const remarks: string[] = []
  const groups = new Set<string>()
  const streams = spec.children('clients').map((client): StreamSpec => {
    const group = client.text('prefix_group', '')
    if (group !== '' && groups.has(group))
      remarks.push(`${client.where}: prefix group "${group}" is not shared with the earlier client of that group.`)
    groups.add(group)
    return {
      arrivals: arrivalsOf(client, spec.number('aggregate_rate')),
      structure: structureOf(client, remarks),
      tenant: tenants.of(client.text('tenant_id', 'default')),
      serviceClass: classes.of(client.text('slo_class', 'standard')),
    }
  })
  return { traffic: { ...limits, streams }, tenants: tenants.names, serviceClasses: classes.names, remarks }
}

function wholeStream(table: SpecTable): StreamSpec {
  return {
    arrivals: stagedArrivals(table.children('stages'), 'poisson'),
    structure: sharedPrefixStructure(table.child('shared_prefix')),
  }
}

const remarksOf = (table: SpecTable): string[] =>
  table.child('shared_prefix').flag('enable_multi_turn_chat')
    ? ['enable_multi_turn_chat is not followed: requests are independent.']
    : []

function arrivalsOf(client: SpecTable, aggregate: number): PartSpec {
  const requestsPerSecond = aggregate * client.number('rate_fraction', 1)
  const arrival = client.optionalChild('arrival')
  const process = arrival?.text('process', 'poisson') ?? 'poisson'
  switch (process) {
    case 'poisson':
    case 'constant':
      return { name: process, requestsPerSecond }
    case 'gamma':
      return { name: 'gamma', requestsPerSecond, cv: arrival!.number('cv', 1) }
    case 'weibull':
      return { name: 'weibull', requestsPerSecond, shape: arrival!.number('shape', 1) }
    default:
      throw arrival!.error('process', 'one of poisson, constant, gamma, weibull')
  }
}

function structureOf(client: SpecTable, remarks: string[]): PartSpec {
  const input = blisLength(client.child('input_distribution'))
  const output = blisLength(client.child('output_distribution'))
  const prefixTokens = client.number('prefix_length', 0)
  const turns = client.optionalChild('reasoning')?.optionalChild('multi_turn')
  if (turns !== undefined) {
    if (turns.text('context_growth', 'accumulate') !== 'accumulate')
      remarks.push(`${turns.where}: the context accumulates all the same.`)
    return {
      name: 'sessions',
      turns: fixedLength(turns.number('max_rounds')),
      systemTokens: prefixTokens,
      input,
      output,
      thinkSeconds: turns.number('think_time_us', 0) / 1e6,
      think: 'fixed',
    }
  }
  if (prefixTokens === 0) return { name: 'single', input, output }
  return { name: 'sharedPrefix', groups: 1, prefix: fixedLength(prefixTokens), input, output }
}

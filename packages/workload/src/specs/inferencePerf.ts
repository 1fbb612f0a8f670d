import type { PartSpec } from '../parts/option.ts'
import type { ImportedTraffic } from './importedTraffic.ts'
import { normalLength } from './lengthSpecs.ts'
import { sharedPrefixStructure, stagedArrivals } from './sharedPrefix.ts'
import { SpecTable } from './table.ts'

/** Traffic of an inference-perf configuration (load and data), parsed from its YAML. Throws SpecError. */
export function inferencePerfTraffic(parsed: unknown): ImportedTraffic {
  const spec = new SpecTable('config', parsed)
  const load = spec.child('load')
  const type = load.text('type', 'constant')
  if (type !== 'constant' && type !== 'poisson') throw load.error('type', 'constant or poisson')
  const data = spec.child('data')
  const arrivals = stagedArrivals(load.children('stages'), type === 'poisson' ? 'poisson' : 'even')
  const structure = data.has('shared_prefix') ? sharedPrefixStructure(data.child('shared_prefix')) : plain(data)
  return { traffic: { seed: 1, streams: [{ arrivals, structure }] }, tenants: [], serviceClasses: [], remarks: [] }
}

function plain(data: SpecTable): PartSpec {
  const length = (field: string): PartSpec => {
    const table = data.child(field)
    return normalLength(
      table.number('mean'),
      table.number('std_dev', 0),
      table.optionalNumber('min'),
      table.optionalNumber('max'),
    )
  }
  return { name: 'single', input: length('input_distribution'), output: length('output_distribution') }
}

import type { ImportedTraffic, StreamSpec } from '@windtunnel/workload'
import { importTraffic, SpecError, serveGenStream } from '@windtunnel/workload/specs/index'
import { parse } from 'yaml'
import { CliFault } from '../fault.ts'
import { readTextFile } from '../input/textFile.ts'
import { readPlainToml } from './plainToml.ts'

/** Sections of a scenario file made from a workload description, and what the traffic does not do of it. */
export interface ImportedSections {
  readonly sections: Readonly<Record<string, unknown>>
  readonly remarks: readonly string[]
}

/** Reads one description (YAML, JSON, TOML), or a trace and a dataset of one ServeGen client. Throws faults for the user. */
export async function importedSections(files: readonly string[]): Promise<ImportedSections> {
  const texts = await Promise.all(files.map((file) => readTextFile(file)))
  try {
    if (texts.length === 1) return sectionsOf(importTraffic(parsed(files[0]!, texts[0]!)))
    const dataset = texts.findIndex((text) => text.trimStart().startsWith('{'))
    if (texts.length !== 2 || dataset < 0)
      throw new CliFault(
        'expected one description, or the two files of a ServeGen client: chunk-N-trace.csv chunk-N-dataset.json',
      )
    const { arrivals, structure } = serveGenStream(texts[1 - dataset]!, texts[dataset]!)
    return { sections: { traffic: { arrivals, structure } }, remarks: [] }
  } catch (error) {
    if (error instanceof SpecError) throw new CliFault(`${files.join(', ')}: ${error.message}`)
    throw error
  }
}

function parsed(path: string, text: string): unknown {
  if (path.endsWith('.toml')) return readPlainToml(path, text)
  try {
    return parse(text)
  } catch (error) {
    throw new CliFault(`${path} is neither YAML nor JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function sectionsOf({ traffic, serviceClasses, tenants, remarks }: ImportedTraffic): ImportedSections {
  const streams = traffic.streams.map((stream) => streamSection(stream, serviceClasses))
  const [only] = streams
  const run = traffic.requests === undefined ? {} : { run: { maxRequests: traffic.requests } }
  return {
    sections: {
      seed: traffic.seed,
      ...(serviceClasses.length === 0
        ? {}
        : { objectives: Object.fromEntries(serviceClasses.map((name) => [name, {}])) }),
      traffic: streams.length === 1 && Object.keys(only!).every((key) => key !== 'serviceClass') ? only : { streams },
      ...run,
    },
    remarks: [...remarks, ...(tenants.length > 1 ? [`tenants by number: ${tenants.join(', ')}`] : [])],
  }
}

const STREAM_KEYS = ['arrivals', 'structure', 'tenant', 'serviceClass']

function streamSection(stream: StreamSpec, serviceClasses: readonly string[]): Record<string, unknown> {
  const clients = Object.entries(stream).filter(([key]) => !STREAM_KEYS.includes(key))
  const serviceClass = serviceClasses[Number(stream['serviceClass'] ?? 0)]
  return {
    arrivals: stream.arrivals,
    structure: stream.structure,
    ...(stream['tenant'] === undefined || stream['tenant'] === 0 ? {} : { tenant: stream['tenant'] }),
    ...(serviceClass === undefined ? {} : { serviceClass }),
    ...(clients.length === 0 ? {} : { clients: Object.fromEntries(clients) }),
  }
}

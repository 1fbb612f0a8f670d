import type { PartSpec } from '../parts/option.ts'
import type { StreamSpec } from '../sources/synthetic.ts'
import { splitCsv } from '../traces/csv.ts'
import { SpecError } from './errors.ts'
import { fixedLength } from './lengthSpecs.ts'
import { SpecTable } from './table.ts'

/**
 * One client of ServeGen as a stream: `traceText` is its chunk-N-trace.csv (window start, rate, cv, pattern, shape, scale;
 * no header), `datasetText` its chunk-N-dataset.json (distributions by window, as Python dict text). Images count as pieces
 * of the prompt; audio, video and the share of reasoning in outputs are passed over. Throws SpecError.
 */
export function serveGenStream(traceText: string, datasetText: string): StreamSpec {
  const windows = traceWindows(traceText)
  const lengths = datasetWindows(datasetText)
  return {
    arrivals: { name: 'windows', windowSeconds: windows.windowSeconds, windows: windows.rates },
    structure: { name: 'windowed', windowSeconds: lengths.windowSeconds, windows: lengths.windows },
  }
}

interface RateWindow {
  readonly requestsPerSecond: number
  readonly gaps: 'gamma' | 'weibull'
  readonly shape: number
}

function traceWindows(text: string): { windowSeconds: number; rates: RateWindow[] } {
  const fields: string[] = []
  const starts: number[] = []
  const rates: RateWindow[] = []
  text.split(/\r?\n/).forEach((line, i) => {
    if (line.trim() === '') return
    splitCsv(line, fields)
    const [start, rate, , pattern, shape] = fields
    const where = `ServeGen trace, line ${i + 1}`
    if (fields.length !== 6)
      throw new SpecError(where, '6 fields (start, rate, cv, pattern, shape, scale)', `${fields.length}`)
    starts.push(numberIn(where, start!))
    rates.push(rateWindow(where, numberIn(where, rate!), pattern!, shape!))
  })
  const windowSeconds = (starts[1] ?? 600) - (starts[0] ?? 0)
  if (starts.some((start, i) => i > 0 && start - starts[i - 1]! !== windowSeconds)) {
    throw new SpecError('ServeGen trace', 'windows of one length', 'different ones')
  }
  return { windowSeconds, rates }
}

function rateWindow(where: string, requestsPerSecond: number, pattern: string, shape: string): RateWindow {
  if (pattern === '') {
    if (requestsPerSecond !== 0) throw new SpecError(where, 'a pattern for a window with arrivals', 'none')
    return { requestsPerSecond: 0, gaps: 'gamma', shape: 1 }
  }
  const gaps = pattern.toLowerCase()
  if (gaps !== 'gamma' && gaps !== 'weibull') throw new SpecError(where, 'the pattern Gamma or Weibull', `"${pattern}"`)
  return { requestsPerSecond, gaps, shape: numberIn(where, shape) }
}

function numberIn(where: string, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) throw new SpecError(where, 'a number', `"${text}"`)
  return value
}

/** "{60: 0.25, 61.0: 0.75}" as a part; undefined for "{}". */
function dictLengths(where: string, text: string): PartSpec | undefined {
  const body = /^\s*\{(.*)\}\s*$/s.exec(text)?.[1]
  if (body === undefined) throw new SpecError(where, 'a Python dict as text', `"${text.slice(0, 40)}"`)
  if (body.trim() === '') return undefined
  const values = body.split(',').map((pair) => {
    const [length, weight] = pair.split(':')
    return { tokens: Math.round(numberIn(where, length ?? '')), weight: numberIn(where, weight ?? '') }
  })
  return { name: 'values', values }
}

interface LengthWindow {
  readonly [field: string]: PartSpec
}

function datasetWindows(text: string): { windowSeconds: number; windows: LengthWindow[] } {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw new SpecError('ServeGen dataset', 'JSON', String(error))
  }
  const dataset = new SpecTable('ServeGen dataset', parsed)
  const starts = Object.keys(parsed as object)
    .map(Number)
    .sort((a, b) => a - b)
  const found = starts.map((start) => lengthWindow(dataset.child(String(start))))
  const first = found.find((window) => window !== undefined)
  if (first === undefined) throw new SpecError('ServeGen dataset', 'a window with lengths', 'only empty ones')
  // A window without lengths has those of the last one that has some.
  let last = first
  const windows = found.map((window) => {
    last = window ?? last
    return last
  })
  return { windowSeconds: (starts[1] ?? 21_600) - (starts[0] ?? 0), windows }
}

function lengthWindow(table: SpecTable): LengthWindow | undefined {
  const read = (field: string) =>
    table.has(field) ? dictLengths(`${table.where}.${field}`, table.text(field)) : undefined
  const input = read('input_tokens') ?? read('text_tokens')
  const output = read('output_tokens')
  if (input === undefined || output === undefined) return undefined
  const pieces = read('image_count')
  return { input, output, ...(pieces === undefined ? {} : { pieces, piece: read('image_tokens') ?? fixedLength(0) }) }
}

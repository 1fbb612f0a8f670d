import type { ServerMetric } from '@windtunnel/orchestrator'
import type { Histogram } from '../sketch/histogram.ts'
import type { BoundedCounts } from './boundedCounts.ts'

export type Labels = Readonly<Record<string, string>>

const escaped = (value: string): string => value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')

function labelText(labels: Labels): string {
  const entries = Object.entries(labels)
  return entries.length === 0 ? '' : `{${entries.map(([name, value]) => `${name}="${escaped(value)}"`).join(',')}}`
}

/** Puts together the Prometheus text exposition format, version 0.0.4: each family once, with its help and type. */
export class PrometheusText {
  readonly #lines: string[] = []

  /** A gauge or a counter with a value for each set of labels. */
  family(type: 'gauge' | 'counter', name: string, help: string, values: readonly (readonly [Labels, number])[]): this {
    this.#head(type, name, help)
    for (const [labels, value] of values) this.#lines.push(`${name}${labelText(labels)} ${value}`)
    return this
  }

  /** A histogram of seconds over fixed bounds; each bound is taken to within 0.2 % of its value. */
  seconds(name: string, help: string, labels: Labels, bounds: readonly number[], histogram: Histogram): this {
    const cumulative = bounds.map((bound) => histogram.countAtMost(bound))
    return this.#histogram(name, help, labels, bounds, cumulative, histogram.sumSeconds, histogram.count)
  }

  counts(name: string, help: string, labels: Labels, counts: BoundedCounts): this {
    return this.#histogram(name, help, labels, counts.bounds, counts.cumulative(), counts.sum, counts.count)
  }

  /** A family as a simulated server tells it: all of one type, without help. */
  samples(name: string, series: readonly (readonly [Labels, ServerMetric['sample']])[]): this {
    const first = series[0]
    if (first !== undefined) this.#lines.push(`# TYPE ${name} ${first[1].type}`)
    for (const [labels, sample] of series) {
      if (sample.type === 'histogram') {
        const { bounds, cumulative, sum, count } = sample
        this.#buckets(name, labels, bounds, cumulative, sum, count)
      } else this.#lines.push(`${name}${labelText(labels)} ${sample.value}`)
    }
    return this
  }

  toString(): string {
    return `${this.#lines.join('\n')}\n`
  }

  #histogram(
    name: string,
    help: string,
    labels: Labels,
    bounds: readonly number[],
    cumulative: readonly number[],
    sum: number,
    count: number,
  ): this {
    this.#head('histogram', name, help)
    return this.#buckets(name, labels, bounds, cumulative, sum, count)
  }

  #buckets(
    name: string,
    labels: Labels,
    bounds: readonly number[],
    cumulative: readonly number[],
    sum: number,
    count: number,
  ): this {
    bounds.forEach((bound, index) => {
      const le = Number.isInteger(bound) ? bound.toFixed(1) : String(bound)
      this.#lines.push(`${name}_bucket${labelText({ ...labels, le })} ${cumulative[index]}`)
    })
    this.#lines.push(`${name}_bucket${labelText({ ...labels, le: '+Inf' })} ${count}`)
    this.#lines.push(`${name}_sum${labelText(labels)} ${sum}`, `${name}_count${labelText(labels)} ${count}`)
    return this
  }

  #head(type: string, name: string, help: string): void {
    this.#lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`)
  }
}

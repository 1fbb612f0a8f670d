/** One benchmark: a scenario, and what its speed is counted in. */
export interface BenchCase {
  readonly name: string
  readonly description: string
  readonly unit: 'requests/s' | 'tokens/s' | 's'
  /** A scenario as in a file: Llama-3.1-8B on H100 (TP1), calibrated cost, vLLM's defaults unless the case says more. */
  readonly scenario: Readonly<Record<string, unknown>>
  /** Run by the naive reference engine instead. */
  readonly naive?: true
}

const base = (name: string): Record<string, unknown> => ({ version: 1, name, seed: 1, model: 'llama-3.1-8b' })

const single = (input: number, output: unknown): Record<string, unknown> => ({
  name: 'single',
  input: { name: 'fixed', tokens: input },
  output,
})

const fixed = (tokens: number): Record<string, unknown> => ({ name: 'fixed', tokens })

/** One replica of the default pool. */
const one = [{ name: 'default', hardware: 'h100-sxm' }]

export { base, fixed, one, single }

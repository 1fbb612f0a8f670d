import { suggestion } from '../names/near.ts'

const comparisons = {
  '<=': (a: number, b: number) => a <= b,
  '>=': (a: number, b: number) => a >= b,
  '==': (a: number, b: number) => a === b,
  '!=': (a: number, b: number) => a !== b,
  '<': (a: number, b: number) => a < b,
  '>': (a: number, b: number) => a > b,
} as const

export type Comparison = keyof typeof comparisons

/** A claim about the JSON of a run, such as `ttft.p99 < 0.5`. Times are in seconds. */
export interface Assertion {
  readonly text: string
  readonly path: readonly string[]
  readonly comparison: Comparison
  readonly limit: number
}

export interface Verdict {
  readonly assertion: Assertion
  readonly holds: boolean
  /** The figure found; undefined when the run has none (no request completed). */
  readonly found: number | undefined
}

/** The claim cannot be read, or names a figure that a run does not have. */
export class AssertionError extends Error {
  readonly _tag = 'AssertionError'
  constructor(message: string) {
    super(message)
    this.name = 'AssertionError'
  }
}

/** Reads `FIGURE COMPARISON NUMBER`. A number may end in ms, s or %. */
export function readAssertion(text: string): Assertion {
  const match = /^\s*([A-Za-z][\w.]*)\s*(<=|>=|==|!=|<|>)\s*([-+]?[\d.]+(?:e[-+]?\d+)?)\s*(ms|s|%)?\s*$/i.exec(text)
  const scale = { ms: 1e-3, s: 1, '%': 1e-2 }[match?.[4]?.toLowerCase() ?? 's'] ?? 1
  const limit = Number(match?.[3])
  if (match === null || !Number.isFinite(limit))
    throw new AssertionError(
      `cannot read the assertion ${JSON.stringify(text)}: expected FIGURE COMPARISON NUMBER, such as "ttft.p99 < 0.5", with one of ${Object.keys(comparisons).join(' ')}`,
    )
  return { text, path: match[1]!.split('.'), comparison: match[2] as Comparison, limit: limit * scale }
}

/** Checks one claim against the JSON of a run. Throws an AssertionError for a figure that does not exist. */
export function judge(assertion: Assertion, summary: unknown): Verdict {
  let value = summary
  for (const [depth, key] of assertion.path.entries()) {
    if (value === null || value === undefined) break
    const group = value as Record<string, unknown>
    if (isEmptyDistribution(group) && statistics.has(key)) return { assertion, holds: false, found: undefined }
    if (typeof value !== 'object' || !Object.hasOwn(group, key))
      throw new AssertionError(unknownFigure(assertion, depth, value))
    value = group[key]
  }
  if (value === null || value === undefined) return { assertion, holds: false, found: undefined }
  if (typeof value !== 'number')
    throw new AssertionError(
      `the assertion ${JSON.stringify(assertion.text)} needs a number, and ${assertion.path.join('.')} is not one${
        typeof value === 'object' && !Array.isArray(value) ? `: pick one of ${Object.keys(value).join(', ')}` : ''
      }`,
    )
  return { assertion, holds: comparisons[assertion.comparison](value, assertion.limit), found: value }
}

const statistics = new Set(['mean', 'p50', 'p90', 'p95', 'p99', 'max'])

/** A distribution of nothing has a count of 0 and no other figure. */
const isEmptyDistribution = (group: unknown): boolean =>
  typeof group === 'object' && group !== null && (group as { count?: unknown }).count === 0

function unknownFigure(assertion: Assertion, depth: number, group: unknown): string {
  const names = typeof group === 'object' && group !== null ? Object.keys(group) : []
  const at = assertion.path.slice(0, depth).join('.')
  const where = at === '' ? 'a run' : at
  return `the assertion ${JSON.stringify(assertion.text)}: ${where} has no figure ${assertion.path[depth]}; ${suggestion(assertion.path[depth] ?? '', names)}`
}

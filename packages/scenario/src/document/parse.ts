import { isScalar, LineCounter, parseDocument, visit } from 'yaml'
import type { Path } from './path.ts'
import { type Problem, ScenarioError } from './problem.ts'

/** A scenario text read but not yet checked. */
export interface ScenarioDocument {
  /** Where the text came from, for messages: a file name or `preset NAME`. */
  readonly source: string
  readonly value: unknown
  /** Line (1 is the first) of the value at a path, or of its nearest parent that is in the text. */
  lineOf(path: Path): number | undefined
}

/**
 * Reads YAML or JSON text (JSON is YAML). Throws a ScenarioError with the line when it is neither, and when a key is
 * written twice.
 */
export function parseScenarioText(text: string, source = 'scenario'): ScenarioDocument {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: false })
  const problems: Problem[] = document.errors.map((error) => ({
    path: [],
    line: lines.linePos(error.pos[0]).line,
    message: error.message,
  }))
  if (problems.length === 0) problems.push(...repeatedKeys(document, lines))
  if (problems.length > 0) throw new ScenarioError(source, problems)
  return { source, value: plainValue(document, source), lineOf: (path) => lineAt(document, lines, path) }
}

/** Keys written twice in one map; the parser's own check compares every key with every other. */
function repeatedKeys(document: ReturnType<typeof parseDocument>, lines: LineCounter): Problem[] {
  const problems: Problem[] = []
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>()
      for (const { key } of items) {
        if (!isScalar(key)) continue
        const at = key.range?.[0]
        if (seen.has(key.value) && problems.length < 10)
          problems.push({
            path: [],
            ...(at === undefined ? {} : { line: lines.linePos(at).line }),
            message: `Map keys must be unique; "${key.value}" is written twice`,
          })
        seen.add(key.value)
      }
    },
  })
  return problems
}

/** The plain value of a document. Aliases that unfold into more than they spell are refused: they can fill any memory. */
function plainValue(document: ReturnType<typeof parseDocument>, source: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    const message = `expected a file that can be unfolded; found ${error instanceof Error ? error.message : String(error)}`
    throw new ScenarioError(source, [{ path: [], message: `${message}. Write it with fewer aliases (*name)` }])
  }
}

function lineAt(document: ReturnType<typeof parseDocument>, lines: LineCounter, path: Path): number | undefined {
  for (let length = path.length; length > 0; length--) {
    const node = document.getIn(path.slice(0, length), true)
    if (typeof node !== 'object' || node === null || !('range' in node)) continue
    const range = node.range as readonly number[] | null | undefined
    if (range?.[0] !== undefined) return lines.linePos(range[0]).line
  }
  return undefined
}

/** A document made by a program: no lines. */
export const documentOf = (value: unknown, source = 'scenario'): ScenarioDocument => ({
  source,
  value,
  lineOf: () => undefined,
})

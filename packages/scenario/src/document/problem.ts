import { type Path, pathText } from './path.ts'

/** One thing wrong with a scenario: where, and a sentence that says what was expected, what was found and what to do. */
export interface Problem {
  readonly path: Path
  readonly line?: number
  readonly message: string
}

/** A file that is no scenario at all has as many faults as lines; nobody reads them all. */
const mostLines = 20

/**
 * The scenario cannot be used. `problems` holds every fault found, in document order; `message` is one line for each of
 * the first, and says how many more there are.
 */
export class ScenarioError extends Error {
  readonly _tag = 'ScenarioError'
  readonly source: string
  readonly problems: readonly Problem[]

  constructor(source: string, problems: readonly Problem[]) {
    const lines = problems.slice(0, mostLines).map((problem) => {
      const line = problem.line === undefined ? '' : `:${problem.line}`
      return `${source}${line}: ${pathText(problem.path)}: ${problem.message}`
    })
    const more = problems.length - lines.length
    super([...lines, ...(more > 0 ? [`... and ${more} more`] : [])].join('\n'))
    this.name = 'ScenarioError'
    this.source = source
    this.problems = problems
  }
}

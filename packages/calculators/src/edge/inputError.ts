/** One fault of the inputs, at a path such as `allreduce.alpha`. */
export interface InputProblem {
  readonly path: string
  readonly message: string
}

/** Inputs that a calculator cannot take: every fault with the field, what was expected (unit, bounds) and what was found. */
export class InputError extends Error {
  override readonly name = 'InputError'
  readonly _tag = 'InputError'
  readonly problems: readonly InputProblem[]

  constructor(problems: readonly InputProblem[], where?: string) {
    const lines = problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`))
    const prefix = where === undefined ? '' : `${where}: `
    super(lines.length === 1 ? `${prefix}${lines[0]}` : `${prefix}\n${lines.map((line) => `  ${line}`).join('\n')}`)
    this.problems = problems
  }

  static at(path: string, message: string): InputError {
    return new InputError([{ path, message }])
  }
}

/** A workload description that cannot be turned into traffic: which field, what was expected, what was found. */
export class SpecError extends Error {
  readonly _tag = 'SpecError'
  readonly where: string

  constructor(where: string, expected: string, found: string) {
    super(`${where}: expected ${expected}, found ${found}.`)
    this.name = 'SpecError'
    this.where = where
  }
}

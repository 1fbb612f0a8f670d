/** A file of measured runs that cannot be used: where, and what is wrong with it. */
export class MeasuredRunError extends Error {
  readonly _tag = 'MeasuredRunError'
  readonly where: string

  constructor(where: string, message: string) {
    super(`${where}: ${message}`)
    this.where = where
  }
}

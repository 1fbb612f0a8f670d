/** A scenario that fits the schema and yet cannot be built: the model does not fit, a layout cannot be cut, a file lacks. */
export class BuildError extends Error {
  readonly _tag = 'BuildError'
  /** Where in the scenario, such as `fleet[0]`. */
  readonly where: string

  constructor(where: string, message: string, options?: ErrorOptions) {
    super(`${where}: ${message}`, options)
    this.name = 'BuildError'
    this.where = where
  }
}

/** Parts say with a tagged error, or with a RangeError, what a user can put right. */
const isForUsers = (error: unknown): error is Error =>
  error instanceof RangeError || (error instanceof Error && '_tag' in error)

/** Runs `build`; an error meant for users gets its place in the scenario in front. */
export function at<T>(where: string, build: () => T): T {
  try {
    return build()
  } catch (error) {
    if (isForUsers(error) && !(error instanceof BuildError))
      throw new BuildError(where, error.message, { cause: error })
    throw error
  }
}

/** A sharding that cannot be: says which array, which axis or dimension, why, and what to do instead. */
export class ShardingError extends Error {
  readonly _tag = 'ShardingError'

  constructor(message: string) {
    super(message)
    this.name = 'ShardingError'
  }
}

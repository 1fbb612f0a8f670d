import { ShardingError } from './shardingError.ts'

/** What each shard of a 1D array sees, in order: `array` cut into `shards` equal parts. Book ch. 10, J1 (shard_map). */
export function localViews<Value>(array: readonly Value[], shards: number): Value[][] {
  const length = array.length / shards
  if (!Number.isSafeInteger(length)) {
    throw new ShardingError(`an array of ${array.length} does not divide into ${shards} shards`)
  }
  return Array.from({ length: shards }, (_, shard) => array.slice(shard * length, (shard + 1) * length))
}

/** Mean over the shards, element by element, as a `pmean` leaves it on every device. Book ch. 10, J1. */
export function meanOverShards(views: readonly (readonly number[])[]): number[] {
  const [first] = views
  if (first === undefined || views.some((view) => view.length !== first.length)) {
    throw new ShardingError(
      `a mean over shards needs views of one length, found ${views.map((v) => v.length).join(', ')}`,
    )
  }
  return first.map((_, at) => views.reduce((sum, view) => sum + view[at]!, 0) / views.length)
}

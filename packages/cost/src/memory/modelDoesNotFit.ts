import { acceleratorsOf, type ReplicaLayout } from '../step/layout.ts'
import type { KvCapacity } from './kvCapacity.ts'

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(bytes < 1e8 ? 3 : 1)} GB`

/** A layout as people write it: only the degrees above 1, or `tp 1`. */
export const describeLayout = (layout: ReplicaLayout): string => {
  const degrees = (['tp', 'pp', 'dp', 'ep', 'sp'] as const).filter((degree) => layout[degree] > 1)
  return degrees.length === 0 ? 'tp 1' : degrees.map((degree) => `${degree} ${layout[degree]}`).join(', ')
}

/** The weights, or the least KV that is needed, do not fit the accelerators of a layout. Says what would. */
export class ModelDoesNotFit extends Error {
  override readonly name = 'ModelDoesNotFit'
  readonly _tag = 'ModelDoesNotFit'
  readonly model: string
  readonly accelerator: string
  readonly layout: ReplicaLayout
  readonly capacity: KvCapacity
  readonly neededBlocks: number
  /** The smallest layout on the same accelerator that would do; undefined when none was found. */
  readonly smallest: ReplicaLayout | undefined

  constructor(fields: {
    model: string
    accelerator: string
    layout: ReplicaLayout
    capacity: KvCapacity
    neededBlocks: number
    smallest: ReplicaLayout | undefined
  }) {
    const { capacity, smallest } = fields
    const parts = [`weights ${gigabytes(capacity.weightBytes)}`, `overhead ${gigabytes(capacity.overheadBytes)}`]
    if (capacity.reservedBytes > 0) parts.push(`sequence state ${gigabytes(capacity.reservedBytes)}`)
    const keyValues = fields.neededBlocks * capacity.bytesPerBlock
    parts.push(
      `at least ${gigabytes(keyValues)} of KV (${fields.neededBlocks} ${fields.neededBlocks === 1 ? 'block' : 'blocks'} of ${capacity.blockTokens} tokens)`,
    )
    const advice =
      smallest === undefined
        ? 'No layout up to 1024 of these accelerators would do: take a smaller weight format or another accelerator.'
        : `The smallest layout that would: ${describeLayout(smallest)} (${acceleratorsOf(smallest)} accelerators).`
    super(
      `${fields.model} does not fit ${fields.accelerator} with ${describeLayout(fields.layout)}: each accelerator needs ` +
        `${parts.join(' + ')}, and has ${gigabytes(capacity.usableBytes)} to use of ${gigabytes(capacity.memoryBytes)}. ${advice}`,
    )
    this.model = fields.model
    this.accelerator = fields.accelerator
    this.layout = fields.layout
    this.capacity = capacity
    this.neededBlocks = fields.neededBlocks
    this.smallest = smallest
  }
}

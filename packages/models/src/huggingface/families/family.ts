import type { Architecture } from '../../architecture.ts'
import type { ConfigFields } from '../configFields.ts'

/** What a family reads; the reader adds the name, title and source. */
export type Shape = Omit<Architecture, 'name' | 'title' | 'source'>

/** Models whose config.json has one form: the `model_type`s it answers to, and how to read it. */
export interface Family {
  readonly modelTypes: readonly string[]
  readonly read: (fields: ConfigFields) => Shape
}

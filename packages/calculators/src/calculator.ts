import type { FieldDoc } from './fields/doc.ts'
import { type Field, group, type Values } from './fields/field.ts'

/** A pure calculator: typed inputs and outputs, and what it says about itself. */
export interface Calculator<Input = never, Output = unknown> {
  /** In camel case; the edge takes `tp-step-time` and `tp_step_time` too. Given by the registry. */
  readonly title: string
  readonly section: Section
  /** The formula as text, with its number where it has one. */
  readonly formula: string
  /** When it holds, and what it leaves out. */
  readonly validity: string
  /** Chapter and section. */
  readonly source: string
  readonly input: Field<Input>
  readonly output: Field<Output>
  readonly compute: (input: Input) => Output
  /** Inputs to try it with, as they would be written. */
  readonly example: Readonly<Record<string, unknown>>
  /** Named sets of inputs; `preset=NAME` starts from one. */
  readonly presets?: Presets
}

export type Presets = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export const sections = [
  'Memory capacity',
  'Operators and steps',
  'Tensor parallel step',
  'Splits',
  'Experts',
  'Collectives',
  'Topology',
  'Power',
  'Connections',
  'Remote memory',
  'Deployment',
  'Expert-parallel domain',
] as const
export type Section = (typeof sections)[number]

type GroupOf<F> = Parameters<typeof group<F>>[0]

/** Defines a calculator; what `compute` takes and returns is typed by the fields. */
export function calculator<const I, const O>(parts: {
  readonly title: string
  readonly section: Section
  readonly formula: string
  readonly validity: string
  readonly source?: string
  readonly input: GroupOf<I>
  readonly output: GroupOf<O>
  readonly example: Readonly<Record<string, unknown>>
  readonly presets?: Presets
  readonly compute: (input: Values<I>) => Values<O>
}): Calculator<Values<I>, Values<O>> {
  return {
    title: parts.title,
    section: parts.section,
    formula: parts.formula,
    validity: parts.validity,
    source: parts.source ?? CHAPTER,
    input: group<I>(parts.input, 'Inputs.'),
    output: group<O>(parts.output, 'Results.'),
    compute: parts.compute,
    example: parts.example,
    ...(parts.presets === undefined ? {} : { presets: parts.presets }),
  }
}

const CHAPTER = 'AI Infra book, chapter 6'

/** The fields of a group by name. */
export const fieldsOf = (doc: FieldDoc): Readonly<Record<string, FieldDoc>> => (doc.kind === 'group' ? doc.fields : {})

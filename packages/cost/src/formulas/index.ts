import * as chapters from './all.ts'
import type { Formula } from './formula.ts'

type Chapters = typeof chapters

/** The ids of the registry: R1 (rooflines) to G27 (GPUs). */
export type FormulaId = { [Chapter in keyof Chapters]: keyof Chapters[Chapter] }[keyof Chapters] & string

/** Every formula of the book by its id, in the order of the chapters. */
export const formulas: Readonly<Record<FormulaId, Formula>> = Object.assign({}, ...Object.values(chapters))

/** The ids in the order of the chapters. */
export const formulaIds: readonly FormulaId[] = Object.keys(formulas) as FormulaId[]

export type { Formula, FormulaInput, FormulaOutput, Variable } from './formula.ts'

// The formulas of the scaling book, one line a chapter.
export { chapter01 } from './chapter01.ts'
export { chapter02 } from './chapter02.ts'

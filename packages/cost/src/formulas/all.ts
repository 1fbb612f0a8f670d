// The formulas of the scaling book, one line a chapter.
export { chapter01 } from './chapter01.ts'
export { chapter02 } from './chapter02.ts'
export { chapter03 } from './chapter03.ts'
export { chapter04 } from './chapter04.ts'
export { chapter05 } from './chapter05.ts'
export { chapter07 } from './chapter07.ts'
export { chapter08 } from './chapter08.ts'

/** How parts describe their options, as plain data, and how they are checked and made. */
export * from './parts/errors.ts'
export * from './parts/option.ts'
export * from './parts/part.ts'
export { numberExpectation, resolveOptions } from './parts/resolve.ts'

export * from './expectedTime.ts'
export * from './hlo.ts'
export * from './localMatmul.ts'

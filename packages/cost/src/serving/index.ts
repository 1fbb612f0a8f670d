export * from './capacity.ts'
export * from './front.ts'
export * from './money.ts'
export * from './throughput.ts'

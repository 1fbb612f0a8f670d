export * from './observer.ts'
export * from './simulation.ts'

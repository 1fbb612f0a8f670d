export * from './step/stepCost.ts'

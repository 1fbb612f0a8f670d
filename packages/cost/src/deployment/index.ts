export * from './cardMemory.ts'
export * from './tensorBytes.ts'
export * from './tensorParallelStep.ts'
export * from './timeline.ts'

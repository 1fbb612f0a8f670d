export * from './compare/index.ts'
export * from './workers/workerPool.ts'

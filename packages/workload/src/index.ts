export * from './promptTree.ts'
export * from './request.ts'
export * from './requestSource.ts'

export * from './run/preparedRun.ts'
export * from './startServer.ts'

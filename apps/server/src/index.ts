export * from './run/preparedRun.ts'
export * from './run/scenarioRun.ts'
export * from './serve.ts'
export * from './startServer.ts'

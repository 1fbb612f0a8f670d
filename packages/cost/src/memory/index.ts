export * from './keyValueBytes.ts'
export * from './kvCapacity.ts'
export * from './modelDoesNotFit.ts'
export * from './weightBytes.ts'

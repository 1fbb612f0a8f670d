export * from './engines/index.ts'
export { CommandError } from './fleet/commandError.ts'
export { createSimulation } from './fleet/createSimulation.ts'
export { FanOut } from './fleet/fanOut.ts'
export type {
  FrontEndOptions,
  Outage,
  PoolConfig,
  SimulationConfig,
  Straggler,
  TransferConfig,
} from './fleet/simulationConfig.ts'
export * from './observer.ts'
export * from './routers/index.ts'
export * from './schedulers/index.ts'
export * from './simulation.ts'
export type { LinkOptions, LinkView } from './transfer/links.ts'

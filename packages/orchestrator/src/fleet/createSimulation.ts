import type { Simulation } from '../simulation.ts'
import { Fleet } from './fleet.ts'
import type { SimulationConfig } from './simulationConfig.ts'

/**
 * A fleet ready to run, at virtual time zero. Every part is bound already: this function knows no names. Throws when pools
 * do not fit together (prefill without generate, disaggregation without a link) or a limit contradicts another.
 */
export const createSimulation = (config: SimulationConfig): Simulation => {
  return new Fleet(config)
}

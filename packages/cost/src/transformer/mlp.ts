import { requirePositive } from '../costInputError.ts'
import { type Pass, passMultiplier } from './pass.ts'

export interface MlpShape {
  dModel: number
  dFf: number
  /** Three matrices (gate, up, down) when true, two when false. */
  gated: boolean
}

/** Parameters of one MLP: 3DF gated, 2DF not. Book ch. 4, M3. */
export function mlpParams(shape: MlpShape): number {
  requirePositive('mlpParams', { dModel: shape.dModel, dFf: shape.dFf })
  return (shape.gated ? 3 : 2) * shape.dModel * shape.dFf
}

/** FLOPs of one MLP over `tokens` tokens: 2 x params x tokens forward, so 18BTDF gated in training. Book ch. 4, M3. */
export function mlpFlops(inputs: MlpShape & { tokens: number; pass: Pass }): number {
  requirePositive('mlpFlops', { tokens: inputs.tokens })
  return 2 * mlpParams(inputs) * inputs.tokens * passMultiplier(inputs.pass)
}

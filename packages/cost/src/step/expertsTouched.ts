/**
 * Experts that at least one of `tokens` tokens visits, of `experts`, when each token picks `expertsPerToken` of them
 * evenly: E (1 - (1 - k/E)^T). Multiplications only, so that every platform gets the same bits.
 */
export function expertsTouched(experts: number, expertsPerToken: number, tokens: number): number {
  let missed = 1
  let factor = 1 - expertsPerToken / experts
  for (let left = Math.ceil(tokens); left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) missed *= factor
    factor *= factor
  }
  return experts * (1 - missed)
}

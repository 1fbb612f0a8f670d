import { pow } from '@windtunnel/des'

/**
 * (a^norm + b^norm + c^norm)^(1 / norm): between the sum (norm 1) and the maximum (norm to infinity) of times that partly
 * hide each other. Arguments >= 0, not all 0.
 */
export function powerSum(norm: number, a: number, b: number, c = 0): number {
  const largest = Math.max(a, b, c)
  if (largest === 0) return 0
  const sum = scaledPower(a / largest, norm) + scaledPower(b / largest, norm) + scaledPower(c / largest, norm)
  return sum === 1 ? largest : largest * pow(sum, 1 / norm)
}

const scaledPower = (share: number, norm: number): number => {
  if (share === 1) return 1
  return share === 0 ? 0 : pow(share, norm)
}

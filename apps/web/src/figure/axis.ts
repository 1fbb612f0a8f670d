/** One axis of a figure: values to pixels, and where its ticks stand. */
export interface Axis {
  position(value: number): number
  readonly ticks: readonly number[]
}

export interface AxisSpec {
  label: string
  log?: boolean
  from: number
  to: number
  tick: (value: number) => string
}

const roundStep = (span: number, most: number): number => {
  const rough = span / most
  const power = 10 ** Math.floor(Math.log10(rough))
  return ([1, 2, 2.5, 5, 10].find((mantissa) => mantissa * power >= rough) ?? 10) * power
}

const linearTicks = (from: number, to: number, most: number): number[] => {
  const step = roundStep(to - from, most)
  const ticks: number[] = []
  for (let index = Math.ceil(from / step - 1e-9); index * step <= to + step * 1e-6; index += 1)
    ticks.push(Number((index * step).toPrecision(12)))
  return ticks
}

/** Powers of ten, with 2 and 5 (or only 3) between them where there is room. */
const logTicks = (from: number, to: number, most: number): number[] => {
  const ticks = (mantissas: readonly number[], stride = 1): number[] => {
    const found: number[] = []
    for (let exponent = Math.floor(Math.log10(from)); exponent <= Math.ceil(Math.log10(to)); exponent += 1)
      if (exponent % stride === 0)
        for (const mantissa of mantissas) {
          const value = Number(`${mantissa}e${exponent}`)
          if (value >= from * 0.999 && value <= to * 1.001) found.push(value)
        }
    return found
  }
  for (const mantissas of [[1, 2, 5], [1, 3], [1]]) {
    const found = ticks(mantissas)
    if (found.length <= most) return found
  }
  return ticks([1], 2)
}

/** An axis from `start` to `end` pixels. */
export const axisOf = (spec: AxisSpec, start: number, end: number, most: number): Axis => {
  const { from, to } = spec
  const scale = spec.log === true ? (value: number) => Math.log(Math.max(value, 1e-300)) : (value: number) => value
  const low = scale(from)
  const span = scale(to) - low || 1
  return {
    position: (value) => start + ((scale(value) - low) / span) * (end - start),
    ticks: spec.log === true ? logTicks(from, to, most) : linearTicks(from, to, most),
  }
}

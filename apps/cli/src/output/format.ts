/** Four significant digits at most, without exponents in the everyday range; `-` when there is none. */
export function number(value: number | undefined | null, digits = 4): string {
  if (value === undefined || value === null) return '-'
  if (!Number.isFinite(value)) return String(value)
  if (value === 0) return '0'
  const size = Math.abs(value)
  if (size >= 1e15 || size < 1e-6) return value.toExponential(digits - 1)
  if (Number.isInteger(value) || size >= 10 ** digits) return grouped(Math.round(value))
  const rounded = Number(value.toPrecision(digits))
  return Math.abs(rounded) >= 1000 ? grouped(Math.round(rounded)) : String(rounded)
}

const grouped = (whole: number): string => String(whole).replace(/\B(?=(\d{3})+$)/g, ',')

const scaled = (value: number, steps: readonly (readonly [number, string])[]): string => {
  const size = Math.abs(value)
  const step = steps.find(([factor]) => size >= factor) ?? steps.at(-1)!
  return `${number(value / step[0])} ${step[1]}`
}

/** A duration in the unit that suits it. */
export function seconds(value: number | undefined | null): string {
  if (value === undefined || value === null) return '-'
  if (value === 0) return '0 s'
  if (Math.abs(value) >= 86400 * 2) return `${number(value / 86400)} days`
  return scaled(value, [
    [1, 's'],
    [1e-3, 'ms'],
    [1e-6, 'us'],
    [1e-9, 'ns'],
  ])
}

const decimal =
  (unit: string) =>
  (value: number | undefined | null): string =>
    value === undefined || value === null
      ? '-'
      : value === 0
        ? `0 ${unit}`
        : scaled(value, [
            [1e18, `E${unit}`],
            [1e15, `P${unit}`],
            [1e12, `T${unit}`],
            [1e9, `G${unit}`],
            [1e6, `M${unit}`],
            [1e3, `k${unit}`],
            [1, unit],
          ])

/** Decimal multiples: 80e9 is 80 GB. */
export const bytes = decimal('B')
export const bytesPerSecond = decimal('B/s')
export const flopsPerSecond = decimal('FLOP/s')
export const flops = decimal('FLOP')

/** 8.03e9 as 8.03 B (billions), for parameters. */
export const parameters = (value: number): string =>
  scaled(value, [
    [1e12, 'T'],
    [1e9, 'B'],
    [1e6, 'M'],
    [1, ''],
  ]).trim()

export const percent = (share: number | undefined | null): string =>
  share === undefined || share === null ? '-' : `${number(share * 100, 4)} %`

/** A value in a unit of SI words, with the multiple that suits it; `1` is a plain count. */
export function inUnit(value: number | undefined | null, unit: string): string {
  if (unit === 's') return seconds(value)
  if (unit === '1' || unit === '') return number(value, 6)
  if (unit === 'W' || unit.startsWith('USD')) return `${number(value, 6)} ${unit}`
  return decimal(unit)(value)
}

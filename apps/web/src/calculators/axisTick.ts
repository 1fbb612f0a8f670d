import { duration, scaled } from '../format/quantity.ts'

/** Axis values in a unit: short durations for seconds, SI prefixes for the rest. */
export const axisTick =
  (unit: string | undefined) =>
  (value: number): string => {
    const { digits, unit: prefix } =
      unit === 's'
        ? duration(value)
        : value === 0 || Math.abs(value) >= 1
          ? scaled(value, '')
          : { digits: String(Number(value.toPrecision(2))), unit: '' }
    const plain = Number(digits.replaceAll(',', ''))
    return `${Number.isFinite(plain) ? plain : digits}${unit === 's' ? ' ' : ''}${value === 0 ? '' : prefix}`
  }

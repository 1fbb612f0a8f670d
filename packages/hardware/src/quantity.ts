/** Units of the figures kept here; SI, with bytes and US dollars. `1` is a plain count. */
export type Unit = 'FLOP/s' | 'B' | 'B/s' | 'Hz' | 's' | 'W' | 'USD/h' | '1'

/** A number that says what it measures in and where it comes from. */
export interface Quantity<U extends Unit = Unit> {
  readonly value: number
  readonly unit: U
  readonly source: string
}

export const quantity = <U extends Unit>(value: number, unit: U, source: string): Quantity<U> => ({
  value,
  unit,
  source,
})

/** Makers of quantities that share one source: `const of = from('NVIDIA H100 datasheet')`, then `of.bytes(80e9)`. */
export const from = (source: string) => ({
  flops: (value: number) => quantity(value, 'FLOP/s', source),
  bytes: (value: number) => quantity(value, 'B', source),
  bytesPerSecond: (value: number) => quantity(value, 'B/s', source),
  hertz: (value: number) => quantity(value, 'Hz', source),
  seconds: (value: number) => quantity(value, 's', source),
  watts: (value: number) => quantity(value, 'W', source),
  usdPerHour: (value: number) => quantity(value, 'USD/h', source),
  count: (value: number) => quantity(value, '1', source),
})

export const GiB = 1073741824
export const MiB = 1048576
export const KiB = 1024

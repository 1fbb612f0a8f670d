/** A quantity ready to be shown: the digits and the unit apart, so that they can be set in different sizes. */
export interface Shown {
  digits: string
  unit: string
}

const absent = '–'
const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 })
const fixed = [0, 1, 2, 3].map(
  (places) => new Intl.NumberFormat('en-US', { minimumFractionDigits: places, maximumFractionDigits: places }),
)

/** About three significant digits, thousands grouped: 0.612, 6.12, 61.2, 612, 6,120. */
export const threeDigits = (value: number): string => {
  const size = Math.abs(value)
  const places = size >= 99.95 || value === 0 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 ? 2 : 3
  return fixed[places]!.format(value)
}

export const whole = (value: number): string => grouped.format(value)

/** A latency in seconds, shown in ms under ten seconds and in s above. */
export const latency = (seconds: number | undefined): Shown => {
  if (seconds === undefined || !Number.isFinite(seconds)) return { digits: absent, unit: 'ms' }
  if (seconds >= 10) return { digits: threeDigits(seconds), unit: 's' }
  const milliseconds = seconds * 1000
  return { digits: milliseconds >= 100 ? whole(milliseconds) : fixed[1]!.format(milliseconds), unit: 'ms' }
}

/** Any duration in seconds, in the unit that reads best: µs, ms, s, min, h. */
export const duration = (seconds: number | undefined): Shown => {
  if (seconds === undefined || !Number.isFinite(seconds)) return { digits: absent, unit: 's' }
  const size = Math.abs(seconds)
  if (size === 0) return { digits: '0', unit: 's' }
  if (size < 1e-3) return { digits: threeDigits(seconds * 1e6), unit: 'µs' }
  if (size < 1) return { digits: threeDigits(seconds * 1e3), unit: 'ms' }
  if (size < 120) return { digits: threeDigits(seconds), unit: 's' }
  if (size < 7200) return { digits: threeDigits(seconds / 60), unit: 'min' }
  return { digits: threeDigits(seconds / 3600), unit: 'h' }
}

const prefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E']

/** SI prefixes in steps of 1000: bytes(3.35e12, 'B/s') is 3.35 TB/s. */
export const scaled = (value: number | undefined, unit: string): Shown => {
  if (value === undefined || !Number.isFinite(value)) return { digits: absent, unit }
  let size = value
  let step = 0
  while (Math.abs(size) >= 999.5 && step < prefixes.length - 1) {
    size /= 1000
    step += 1
  }
  return { digits: threeDigits(size), unit: `${prefixes[step]}${unit}` }
}

export const count = (value: number | undefined, unit: string): Shown => ({
  digits:
    value === undefined || !Number.isFinite(value) ? absent : Math.abs(value) < 100 ? threeDigits(value) : whole(value),
  unit,
})

/** A share of 1 in whole percent; never rounds up to 100 or down to 0. */
export const percent = (share: number | undefined): Shown => {
  if (share === undefined || !Number.isFinite(share)) return { digits: absent, unit: '%' }
  const hundredths = share * 100
  if (hundredths > 99 && hundredths < 100) return { digits: fixed[1]!.format(Math.min(99.9, hundredths)), unit: '%' }
  if (hundredths > 0 && hundredths < 1) return { digits: fixed[1]!.format(Math.max(0.1, hundredths)), unit: '%' }
  return { digits: whole(hundredths), unit: '%' }
}

/** A promised latency, without needless decimals: 500 ms, 25 ms, 2.5 ms, 2 s. */
export const promise = (seconds: number): string =>
  seconds >= 1 ? `${Number(seconds.toPrecision(4))} s` : `${Number((seconds * 1000).toPrecision(4))} ms`

export const text = ({ digits, unit }: Shown): string => (digits === absent ? absent : `${digits} ${unit}`)

/** Virtual seconds as a clock: 02:14:07.3. */
export const clock = (seconds: number, tenths = true): string => {
  const whole10 = Math.floor(seconds * 10 + 1e-9)
  const pad = (value: number): string => String(value).padStart(2, '0')
  const total = Math.floor(whole10 / 10)
  const base = `${pad(Math.floor(total / 3600))}:${pad(Math.floor(total / 60) % 60)}:${pad(total % 60)}`
  return tenths ? `${base}.${whole10 % 10}` : base
}

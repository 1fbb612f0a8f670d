import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const tokens = readFileSync(new URL('../src/style/tokens.css', import.meta.url), 'utf8')
type Triple = readonly [number, number, number]

/** The colour of a token in a theme, linear red, green and blue. */
const colourOf = (name: string, theme: 'light' | 'dark'): Triple => {
  const [, light = '', dark = ''] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(tokens) ?? []
  const short = theme === 'light' ? light : dark
  const hex = short.length === 4 ? [...short.slice(1)].map((digit) => digit + digit).join('') : short.slice(1)
  const linear = (at: number): number => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }
  return [linear(0), linear(2), linear(4)]
}

/** How eyes of each kind see linear colours: Machado, Oliveira and Fernandes 2009, severity 1. */
const eyes: Record<string, readonly [Triple, Triple, Triple]> = {
  usual: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  'without red cones': [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  'without green cones': [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  'without blue cones': [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
}

const lab = ([r, g, b]: Triple): Triple => {
  const root = (t: number): number => (t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116)
  const x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047)
  const y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
  const z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883)
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}
const dot = (a: Triple, b: Triple): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
const seen = (eye: string, colour: Triple): Triple => {
  const matrix = eyes[eye]!
  const within = (value: number): number => Math.min(1, Math.max(0, value))
  return lab([within(dot(matrix[0], colour)), within(dot(matrix[1], colour)), within(dot(matrix[2], colour))])
}

describe('the colours of the phases', () => {
  for (const theme of ['light', 'dark'] as const)
    for (const eye of Object.keys(eyes))
      it(`are told apart where they meet in a waterfall, ${theme}, eyes ${eye}`, () => {
        const phases = ['queue', 'prefill', 'transfer', 'decode']
        // A transfer is left out where there is none: then prefill meets decode.
        const pairs = [
          ...phases.slice(1).map((phase, at) => [phases[at]!, phase] as const),
          ['prefill', 'decode'] as const,
        ]
        for (const [one, other] of pairs) {
          const [a, b] = [seen(eye, colourOf(one, theme)), seen(eye, colourOf(other, theme))]
          const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
          // Ten is a difference seen at a glance (CIE 1976).
          expect(distance, `${one} and ${other}`).toBeGreaterThan(20)
        }
      })
})

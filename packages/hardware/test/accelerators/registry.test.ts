import { describe, expect, it } from 'vitest'
import {
  accelerator,
  acceleratorNames,
  acceleratorSpecs,
  type Figures,
  MissingFigure,
  peakFlopsPerSecond,
  programHbmBytes,
  type Quantity,
  UnknownName,
  underProfile,
} from '../../src/index.ts'

const isQuantity = (value: unknown): value is Quantity =>
  typeof value === 'object' && value !== null && 'unit' in value && 'source' in value

const quantitiesOf = (figures: Figures): [string, Quantity][] =>
  Object.entries(figures).flatMap(([key, value]) =>
    isQuantity(value)
      ? [[key, value] as [string, Quantity]]
      : Object.entries(value as Record<string, Quantity>).map(
          ([dtype, q]) => [`${key}.${dtype}`, q] as [string, Quantity],
        ),
  )

const unitOf = (key: string): string => {
  if (/flopsPerSecond/i.test(key)) return 'FLOP/s'
  if (/BytesPerSecond$/.test(key)) return 'B/s'
  if (/Bytes(Per\w+)?$/.test(key)) return 'B'
  if (/Hz$/.test(key)) return 'Hz'
  if (/Seconds$/.test(key)) return 's'
  if (/Watts$/.test(key)) return 'W'
  return /Usd/.test(key) ? 'USD/h' : '1'
}

describe('the accelerators', () => {
  it('are all that the scope names', () => {
    for (const name of [
      ...['tpu-v2', 'tpu-v3', 'tpu-v4', 'tpu-v5e', 'tpu-v5p', 'tpu-v6e', 'tpu-v7', 'v100-sxm', 'a100-sxm-80gb'],
      ...['h100-sxm', 'h200-sxm', 'b200-sxm', 'b300-sxm', 'gb200', 'gb300', 'l40s', 'rtx-pro-6000', 'rtx-4090'],
      ...['h20', 'h800', 'rtx-a6000', 'a40', 'mi300x', 'mi325x', 'mi350x', 'mi355x', 'ascend-910c', 'ascend-950'],
    ])
      expect(acceleratorNames).toContain(name)
  })

  it('state a positive value, the unit of their name and a source for every figure', () => {
    for (const name of acceleratorNames) {
      const { vendor, book } = acceleratorSpecs[name].figures
      for (const [key, quantity] of [...quantitiesOf(vendor), ...quantitiesOf(book ?? {})]) {
        expect(quantity.value, `${name} ${key}`).toBeGreaterThan(0)
        expect(quantity.unit, `${name} ${key}`).toBe(unitOf(key))
        expect(quantity.source.length, `${name} ${key}`).toBeGreaterThan(3)
      }
    }
  })

  it('have distinct names and aliases', () => {
    const names = acceleratorNames.flatMap((name) => [name, ...acceleratorSpecs[name].aliases])
    expect(new Set(names).size).toBe(names.length)
  })

  it('never multiply a narrower type more slowly than bf16', () => {
    for (const name of acceleratorNames)
      for (const profile of ['vendor', 'book'] as const) {
        const { bf16, fp8, int8, fp4 } = accelerator(name, profile).flopsPerSecond
        for (const narrow of [fp8, int8, fp4]) expect(narrow ?? bf16 ?? 0).toBeGreaterThanOrEqual(bf16 ?? 0)
      }
  })
})

describe('looking up an accelerator', () => {
  it('takes aliases, any case, and underscores for dashes', () => {
    for (const name of ['h100', 'H100_SXM', 'H100-80GB-SXM', 'H100 SXM'])
      expect(accelerator(name).name).toBe('h100-sxm')
    expect(accelerator('RTX A6000').name).toBe('rtx-a6000')
    expect(accelerator('v5e').name).toBe('tpu-v5e')
  })

  it('lists near names for one it does not know', () => {
    expect(() => accelerator('h1000')).toThrow(UnknownName)
    expect(() => accelerator('h1000')).toThrow(/Did you mean h100/)
    expect(() => accelerator('tpu-v8')).toThrow(/tpu-v/)
    expect(() => accelerator('nope')).toThrow(/Known: .*h100-sxm/)
    expect(() => accelerator('zzzzzzzzzzzzzzzzzzzz')).toThrow(/Known: .*h100-sxm/)
  })
})

describe('profiles', () => {
  it('keep the figures of the maker and of the book apart', () => {
    expect(accelerator('h100').flopsPerSecond.bf16).toBe(989e12)
    expect(accelerator('h100', 'book').flopsPerSecond.bf16).toBe(990e12)
    expect(accelerator('h100').hbmBytesPerSecond).toBe(3.35e12)
    expect(accelerator('h100', 'book').hbmBytesPerSecond).toBe(3.4e12)
    expect(accelerator('tpu-v5e').scaleUpLinkBytesPerSecond).toBe(50e9)
    expect(accelerator('tpu-v5e', 'book').scaleUpLinkBytesPerSecond).toBe(45e9)
    expect(accelerator('tpu-v3').flopsPerSecond.bf16).toBe(123e12)
    expect(accelerator('tpu-v3', 'book').flopsPerSecond.bf16).toBe(140e12)
  })

  it('take a figure from the other profile when theirs does not give it, source and all', () => {
    const v5e = accelerator('tpu-v5e')
    expect(v5e.priceUsdPerHour).toBe(1.2)
    expect(v5e.figures.priceUsdPerHour?.source).toContain('How To Scale Your Model')
    expect(accelerator('h100', 'book').flopsPerSecond.tf32).toBe(494.5e12)
  })

  it('refuse an accelerator whose memory nobody gives', () => {
    const spec = { ...acceleratorSpecs['h100-sxm'], name: 'bare', figures: { vendor: {} } }
    expect(() => underProfile(spec)).toThrow(MissingFigure)
  })
})

describe('derived figures', () => {
  it('give scale-up egress as links times link', () => {
    const egress = { a100: 300e9, h100: 450e9, b200: 900e9, gb300: 900e9, l40s: 32e9, 'rtx-pro-6000': 64e9, h20: 450e9 }
    for (const [name, expected] of Object.entries(egress))
      expect(accelerator(name).scaleUpBytesPerSecond).toBe(expected)
    expect(accelerator('h800').scaleUpBytesPerSecond).toBe(200e9)
    expect(accelerator('h800', 'book').scaleUpBytesPerSecond).toBe(300e9)
    expect(accelerator('mi300x').scaleUpBytesPerSecond).toBe(448e9)
    expect(accelerator('ascend-950').scaleUpBytesPerSecond).toBe(1008e9)
    expect(accelerator('tpu-v5p', 'book').scaleUpBytesPerSecond).toBe(540e9)
    expect(accelerator('rtx-a6000').scaleUpBytesPerSecond).toBe(56e9)
  })

  it('agree with matrix units times clock on TPUs (H1: 2 s^2 FLOPs a cycle)', () => {
    for (const name of ['tpu-v2', 'tpu-v3', 'tpu-v4', 'tpu-v5e', 'tpu-v5p']) {
      const { mxuCount = 0, mxuSide = 0, clockHz = 0, flopsPerSecond } = accelerator(name)
      const peak = mxuCount * 2 * mxuSide * mxuSide * clockHz
      expect(Math.abs(peak / (flopsPerSecond.bf16 ?? 0) - 1)).toBeLessThan(0.02)
    }
  })

  it('name the types that an accelerator multiplies when asked for another', () => {
    expect(peakFlopsPerSecond(accelerator('h100'), 'fp8')).toBe(1979e12)
    expect(() => peakFlopsPerSecond(accelerator('a100'), 'fp8')).toThrow(/a100-sxm-80gb "fp8".*bf16/)
  })

  it('take what the driver reports as the memory of a program, where it is known', () => {
    expect(programHbmBytes(accelerator('h100'))).toBe(79.19 * 1073741824)
    expect(programHbmBytes(accelerator('mi300x'))).toBe(192e9)
  })
})

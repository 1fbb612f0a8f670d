import { describe, expect, it } from 'vitest'
import {
  arrivals,
  lengths,
  type Option,
  OptionError,
  resolveOptions,
  structures,
  syntheticSource,
  traceFormats,
  UnknownPart,
} from '../src/index.ts'

const thrown = (act: () => unknown): Error => {
  try {
    act()
  } catch (error) {
    return error as Error
  }
  throw new Error('nothing was thrown')
}

const fixed = { name: 'fixed', tokens: 10 }
const one = { name: 'single', input: fixed, output: fixed }

describe('the registries of parts', () => {
  it('know every part by its own name', () => {
    expect(Object.keys(arrivals).sort()).toEqual([
      'allAtOnce',
      'closedLoop',
      'constant',
      'diurnal',
      'gamma',
      'hawkes',
      'mixture',
      'mmpp',
      'onOff',
      'poisson',
      'ramp',
      'staged',
      'weibull',
      'windows',
    ])
    for (const registry of [arrivals, lengths, structures, traceFormats]) {
      for (const [name, part] of Object.entries(registry)) {
        expect(part.name).toBe(name)
        expect(part.sentence).toMatch(/^\S.*\.$/s)
        for (const option of Object.values<Option>(part.options)) expect(option.sentence).toMatch(/[.]$/)
      }
    }
  })
  it('say which names are near an unknown one', () => {
    const error = thrown(() =>
      syntheticSource({ seed: 1, streams: [{ arrivals: { name: 'poison', requestsPerSecond: 1 }, structure: one }] }),
    )
    expect(error).toBeInstanceOf(UnknownPart)
    expect(error.message).toBe('There is no arrival process "poison". Did you mean poisson?')
  })
  it('say where an option is wrong, what was expected and what was found', () => {
    const error = thrown(() =>
      syntheticSource({ seed: 1, streams: [{ arrivals: { name: 'poisson', requestsPerSecond: -1 }, structure: one }] }),
    )
    expect(error).toBeInstanceOf(OptionError)
    expect(error.message).toBe(
      'streams[0].arrivals.requestsPerSecond: expected a number of requests per second, above 0, found -1.',
    )
  })
  it('refuse an option that does not exist, and name the near one', () => {
    const error = thrown(() =>
      syntheticSource({ seed: 1, streams: [{ arrivals: { name: 'poisson', requestPerSecond: 1 }, structure: one }] }),
    )
    expect(error.message).toContain('"requestPerSecond". Did you mean requestsPerSecond?')
  })
  it('fill defaults, leave optional ones undefined and require the rest', () => {
    const options = {
      a: { kind: 'number', integer: true, minimum: 1, maximum: 3, default: 2, sentence: 'A.' },
      b: { kind: 'boolean', optional: true, sentence: 'B.' },
      c: { kind: 'choice', names: ['x', 'y'], sentence: 'C.' },
      d: { kind: 'list', minimumItems: 1, items: { e: { kind: 'text', sentence: 'E.' } }, sentence: 'D.' },
    } as const
    expect(resolveOptions('it', options, { c: 'x', d: [{ e: 'z' }] })).toEqual({
      a: 2,
      b: undefined,
      c: 'x',
      d: [{ e: 'z' }],
    })
    expect(thrown(() => resolveOptions('it', options, { d: [{ e: 'z' }] })).message).toBe(
      'it.c: expected a value, found nothing.',
    )
    expect(thrown(() => resolveOptions('it', options, { c: 'q', d: [] })).message).toContain(
      'it.c: expected one of x, y, found "q"',
    )
    expect(thrown(() => resolveOptions('it', options, { c: 'x', d: [] })).message).toContain('a list of at least 1')
    expect(thrown(() => resolveOptions('it', options, { c: 'x', d: [{ e: 1 }] })).message).toBe(
      'it.d[0].e: expected a text, found 1.',
    )
    expect(thrown(() => resolveOptions('it', options, { a: 2.5, c: 'x', d: [] })).message).toContain(
      'a whole number, at least 1, at most 3',
    )
  })
})

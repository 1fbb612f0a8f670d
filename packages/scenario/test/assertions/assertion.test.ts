import { describe, expect, it } from 'vitest'
import { judge, readAssertion } from '../../src/assertions/assertion.ts'

const summary = { ttft: { p99: 0.4, p50: 0.1 }, goodput: 3, tpot: { count: 0 }, seed: 1 }
const holds = (text: string) => judge(readAssertion(text), summary).holds

describe('an assertion', () => {
  it('compares a figure of the run with a number in seconds, milliseconds or per cent', () => {
    expect(holds('ttft.p99 < 0.5')).toBe(true)
    expect(holds('ttft.p99<=400ms')).toBe(true)
    expect(holds('ttft.p99 > 0.5 s')).toBe(false)
    expect(holds('ttft.p50 >= 10%')).toBe(true)
    expect(holds('goodput == 3')).toBe(true)
    expect(holds('goodput != 3')).toBe(false)
  })

  it('does not hold for a figure that the run could not have', () => {
    expect(judge(readAssertion('tpot.p99 < 1'), summary)).toMatchObject({ holds: false, found: undefined })
  })

  it('says the form, the near figures and the parts of a group', () => {
    expect(() => readAssertion('ttft is small')).toThrow(/expected FIGURE COMPARISON NUMBER/)
    expect(() => holds('ttft.p999 < 1')).toThrow(/ttft has no figure p999; did you mean p99/)
    expect(() => holds('ttf.p99 < 1')).toThrow(/a run has no figure ttf; did you mean ttft/)
    expect(() => holds('ttft < 1')).toThrow(/pick one of p99, p50/)
  })
})

import { describe, expect, it } from 'vitest'
import { parseScenarioText } from '../../src/document/parse.ts'
import { ScenarioError } from '../../src/document/problem.ts'

function failure(text: string): ScenarioError {
  try {
    parseScenarioText(text, 'file.yaml')
  } catch (error) {
    if (error instanceof ScenarioError) return error
    throw error
  }
  throw new Error('nothing was thrown')
}

describe('a text that is no scenario', () => {
  it('is refused when its aliases unfold without end: nine times nine, eight levels deep', () => {
    const levels = ['a: &a [x, x, x, x, x, x, x, x, x]']
    for (const [at, name] of [...'bcdefghi'].entries()) {
      const below = `*${'abcdefgh'[at]}`
      levels.push(`${name}: &${name} [${Array(9).fill(below).join(', ')}]`)
    }
    expect(failure(levels.join('\n')).message).toMatch(/^file\.yaml: .*fewer aliases/)
  })

  it('has the first twenty of its faults listed, and the others counted', () => {
    const error = failure('['.repeat(50))
    const lines = error.message.split('\n')
    expect(error.problems.length).toBeGreaterThan(20)
    expect(lines).toHaveLength(21)
    expect(lines[20]).toBe(`... and ${error.problems.length - 20} more`)
  })

  it('names the line of a key written twice', () => {
    expect(failure('version: 1\nmodel: a\nversion: 1\n').message).toMatch(/^file\.yaml:3: /)
  })
})

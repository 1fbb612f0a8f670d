import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { nearNames } from '../src/unknownName.ts'

it('is the same as in hardware, for neither package may depend on anything', () => {
  const textOf = (name: string) => readFileSync(new URL(`../../${name}/src/unknownName.ts`, import.meta.url), 'utf8')
  expect(textOf('models')).toBe(textOf('hardware'))
})

it('finds what is written nearly so, or a part of it, and nothing far', () => {
  const known = ['llama-3.1-8b', 'llama-3.1-70b', 'qwen3-32b', 'gpt-oss-20b']
  expect(nearNames('lama-3.1-8b', known)).toEqual(['llama-3.1-8b'])
  expect(nearNames('GPT', known)).toEqual(['gpt-oss-20b'])
  expect(nearNames('mamba', known)).toEqual([])
  expect(nearNames('', known)).toEqual([])
})

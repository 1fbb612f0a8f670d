import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { referenceText } from '../../src/reference/texts.ts'

it('docs/scenario.md says what the schema says (write it anew with: ./windtunnel init docs/scenario.md --reference --force)', () => {
  const path = join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'scenario.md')
  expect(readFileSync(path, 'utf8').trimEnd()).toBe(referenceText().trimEnd())
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonPieces } from '../../src/export/jsonPieces.ts'

describe('JSON in pieces', () => {
  it('joined is what JSON.stringify gives with an indent of 1', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, undefined, 1))
      }),
    )
  })

  it('leaves out what is undefined in tables, and has null for it in lists', () => {
    const value = { a: undefined, b: [undefined, 'x\ny', { c: undefined }], d: {}, e: [] }
    expect([...jsonPieces(value)].join('')).toBe(JSON.stringify(value, undefined, 1))
  })

  it('gives a long list element by element', () => {
    const longest = Math.max(
      ...[...jsonPieces({ list: Array.from({ length: 1000 }, () => ({ a: 1 })) })].map((p) => p.length),
    )
    expect(longest).toBeLessThan(30)
  })
})

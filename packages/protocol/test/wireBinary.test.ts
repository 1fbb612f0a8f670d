import { Result } from 'effect'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { packMessage, readServerBinary } from '../src/wireBinary.ts'
import { readServerMessage } from '../src/wireText.ts'

const event = {
  type: 'event',
  run: 'demo',
  time: 1.5,
  kind: 'rate',
  cause: 'viewer',
  text: 'rate 24 to 38 requests/s \u00e9',
}

describe('messages in the binary form', () => {
  it('hold what the text holds', () => {
    const expected = Result.getOrThrow(readServerMessage(JSON.stringify(event)))
    expect(Result.getOrThrow(readServerBinary(packMessage(event)))).toEqual(expected)
  })

  it('are MessagePack: a map of 2, a string, a small integer, a binary64 in big-endian order', () => {
    const bytes = packMessage({ a: 5, b: 1.5 })
    expect([...bytes]).toEqual([0x82, 0xa1, 0x61, 0x05, 0xa1, 0x62, 0xcb, 0x3f, 0xf8, 0, 0, 0, 0, 0, 0])
  })

  it('that are not of a server, or cut short, are refused and never throw', () => {
    expect(Result.isFailure(readServerBinary(packMessage({ type: 'fly' })))).toBe(true)
    expect(Result.isFailure(readServerBinary(packMessage(event).slice(0, 20)))).toBe(true)
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => Result.isFailure(readServerBinary(bytes))),
      { numRuns: 300 },
    )
  })
})

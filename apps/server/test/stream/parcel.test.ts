import { describe, expect, it } from 'vitest'
import { Parcel } from '../../src/stream/parcel.ts'

const parcel = (...texts: string[]): Parcel => new Parcel(texts.map((text) => ({ kind: 'frame', text })))

describe('a parcel on the wire', () => {
  it.each([
    // Payload of so many bytes, and the head that RFC 6455 gives it: final text frame, not masked, length in 7, 16 or 64 bits.
    [0, [0x81, 0]],
    [125, [0x81, 125]],
    [126, [0x81, 126, 0, 126]],
    [65_535, [0x81, 126, 255, 255]],
    [65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]],
  ])('heads %i bytes of text as the standard says', (length, head) => {
    const bytes = parcel('x'.repeat(length)).bytes(false)
    expect([...bytes.subarray(0, head.length)]).toEqual(head)
    expect(bytes.length).toBe(head.length + length)
  })

  it('counts bytes, not letters, and puts messages one after the other', () => {
    // An e with an accent is two bytes of UTF-8.
    expect([...parcel('\u00e9', 'ab').bytes(false)]).toEqual([0x81, 2, 0xc3, 0xa9, 0x81, 2, 0x61, 0x62])
  })

  it('is made of binary frames for those who asked for the binary form, and made once in each', () => {
    const one = parcel('{"a":1}')
    // MessagePack: an object of one pair, a string of one byte, the number 1.
    expect([...one.bytes(true)]).toEqual([0x82, 4, 0x81, 0xa1, 0x61, 1])
    expect(one.bytes(true)).toBe(one.bytes(true))
    expect(one.bytes(false)).toBe(one.bytes(false))
  })
})

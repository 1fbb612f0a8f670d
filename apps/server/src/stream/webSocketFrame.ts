const FINAL_TEXT = 0x81
const FINAL_BINARY = 0x82
const LONGEST_SHORT = 125
const LONGEST_16_BITS = 0xffff

/** Bytes of the head of a frame from a server (RFC 6455, 5.2): not masked. */
const headBytes = (payload: number): number => (payload <= LONGEST_SHORT ? 2 : payload <= LONGEST_16_BITS ? 4 : 10)

/** Writes the head of a frame at `at`; returns where its payload starts. */
function writeHead(into: Buffer, at: number, first: number, payload: number): number {
  into[at] = first
  if (payload <= LONGEST_SHORT) into[at + 1] = payload
  else if (payload <= LONGEST_16_BITS) {
    into[at + 1] = 126
    into.writeUInt16BE(payload, at + 2)
  } else {
    into[at + 1] = 127
    into.writeUInt32BE(Math.floor(payload / 2 ** 32), at + 2)
    into.writeUInt32BE(payload % 2 ** 32, at + 6)
  }
  return at + headBytes(payload)
}

const sum = (lengths: readonly number[]): number => lengths.reduce((all, length) => all + headBytes(length) + length, 0)

/** Text messages as WebSocket frames, one after the other. */
export function framedTexts(texts: readonly string[]): Buffer {
  const lengths = texts.map((text) => Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(sum(lengths))
  let at = 0
  texts.forEach((text, index) => {
    at = writeHead(bytes, at, FINAL_TEXT, lengths[index]!)
    at += bytes.write(text, at)
  })
  return bytes
}

/** Binary messages as WebSocket frames, one after the other. */
export function framedValues(values: readonly Uint8Array[]): Buffer {
  const bytes = Buffer.allocUnsafe(sum(values.map((value) => value.length)))
  let at = 0
  for (const value of values) {
    at = writeHead(bytes, at, FINAL_BINARY, value.length)
    bytes.set(value, at)
    at += value.length
  }
  return bytes
}

/** A well-spread 32-bit number for two integers, for rendezvous hashing: the same on every platform. */
export const mix = (a: number, b: number): number => {
  let h = Math.imul((a ^ Math.floor(a / 4294967296)) | 0, 0x9e3779b1) ^ Math.imul(b | 0, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

/** Buckets per octave as a power of two: 2^9, half a bucket is 0.1 % of the value. */
export const BUCKET_BITS = 9
export const BUCKETS_PER_OCTAVE = 512

const MANTISSA_BITS_LEFT = 11 // of the high word: 20 - BUCKET_BITS
const BIAS = 1023 * BUCKETS_PER_OCTAVE

const float = new Float64Array(1)
const words = new Int32Array(float.buffer)
const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
const HIGH = littleEndian ? 1 : 0
const LOW = littleEndian ? 0 : 1

/** Bucket of a value >= 1: the exponent and the first nine bits of the mantissa. Bucket 0 begins at 1. */
export const bucketOf = (value: number): number => {
  float[0] = value
  return (words[HIGH]! >>> MANTISSA_BITS_LEFT) - BIAS
}

/** Smallest value in `bucket`. */
export const bucketStart = (bucket: number): number => {
  words[HIGH] = (bucket + BIAS) << MANTISSA_BITS_LEFT
  words[LOW] = 0
  return float[0]!
}

/** The value half way through `bucket`. */
export const bucketMiddle = (bucket: number): number => {
  words[HIGH] = ((bucket + BIAS) << MANTISSA_BITS_LEFT) | (1 << (MANTISSA_BITS_LEFT - 1))
  words[LOW] = 0
  return float[0]!
}

/** The upper half of a number's bits, as a signed integer; `lowWord` is the other one. */
export const highWord = (value: number): number => {
  float[0] = value
  return words[HIGH]!
}

export const lowWord = (value: number): number => {
  float[0] = value
  return words[LOW]!
}

/** Index of 2^0 in `powersOfTwo`. */
export const POWER_ZERO = 1024

/** 2^q at index q + POWER_ZERO, for -1024 <= q <= 1023 (the two lowest are subnormal, and exact). */
export const powersOfTwo = new Float64Array(2048)
for (let q = 0, down = 1, up = 1; q < 1024; q++, down /= 2, up *= 2) {
  powersOfTwo[POWER_ZERO - q] = down
  powersOfTwo[POWER_ZERO + q] = up
  powersOfTwo[POWER_ZERO - q - 1] = down / 2
}

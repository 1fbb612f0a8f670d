/**
 * log, exp, pow, sin, cos, log2 and log10 from exact operations only (+ - * / and bit access), because Math's differ in
 * their last bits between JavaScript engines. The same bits on every IEEE-754 platform.
 *
 * Error bounds, tested against BigInt series: within 1 unit in the last place of the correctly rounded value for every function. Special
 * values (NaN, infinities, zeros, negative bases) are those of ECMAScript's Math.
 */
export { cos, sin } from './math/angles.ts'
export { exp } from './math/exponential.ts'
export { log, log2, log10 } from './math/logarithm.ts'
export { pow } from './math/power.ts'

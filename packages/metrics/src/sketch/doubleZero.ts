/**
 * Zero for a field that is going to hold fractions or large numbers: negative, and so a double from the start. A field that
 * begins as a small integer and turns into a double changes the shape of its object, and the compiler then checks that
 * shape at every use. Adding to it gives what adding to 0 gives.
 */
export const DOUBLE_ZERO = -0

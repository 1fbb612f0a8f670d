import * as Flag from 'effect/cli/Flag'

/** A number above 0 on the command line, such as 4e6. */
export const positive = (name: string, metavar: string, sentence: string) =>
  Flag.Finite(name).pipe(
    Flag.withMetavar(metavar),
    Flag.withDescription(sentence),
    Flag.filter(
      (value) => value > 0,
      (value) => `a number above 0, not ${value}`,
    ),
  )

/** A whole number above 0; `1e6` is one too. */
export const positiveCount = (name: string, metavar: string, sentence: string) =>
  positive(name, metavar, sentence).pipe(
    Flag.filter(
      (value) => Number.isSafeInteger(value),
      (value) => `a whole number, not ${value}`,
    ),
  )

import type { Profile } from '@windtunnel/hardware'
import * as Flag from 'effect/cli/Flag'

/** Whose figures a named device has: by default those that `collectiveOn` takes too. */
export const profileFlag = Flag.Literals('profile', ['book', 'vendor']).pipe(
  Flag.withDescription(
    'Whose figures count where they differ: those of "How To Scale Your Model", whose formulas these are, or the maker\'s.',
  ),
  Flag.withDefault('book' as const),
)

/** Says whose figures a result is made of. */
export const profileSentence = (profile: Profile): string =>
  profile === 'book'
    ? "of the book where it has some, else the maker's; --profile vendor: the other way round"
    : "of the maker where there are some, else the book's; --profile book: the other way round"

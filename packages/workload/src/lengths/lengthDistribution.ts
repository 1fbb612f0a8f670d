/** How many tokens a piece of text has. */
export interface LengthDistribution {
  /** A whole number of tokens. */
  next(): number
  /** Mean of the distribution before rounding and bounds; undefined where it has none. */
  readonly meanTokens: number | undefined
}

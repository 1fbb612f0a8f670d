import type { PrefixHits } from './runDetails.ts'

/** Prefix cache look-ups of first admissions, in tokens and in whole blocks. */
export class PrefixHitCounts {
  #lookUps = 0
  #queriedTokens = 0
  #hitTokens = 0
  #tokenRatios = 0
  #blockLookUps = 0
  #queriedBlocks = 0
  #hitBlocks = 0
  #blockRatios = 0

  /** A prompt shorter than a block has no block to find, and is left out of the ratios of blocks. */
  lookedUp(hitTokens: number, queriedTokens: number, blockTokens: number): void {
    if (queriedTokens <= 0) return
    this.#lookUps += 1
    this.#queriedTokens += queriedTokens
    this.#hitTokens += hitTokens
    this.#tokenRatios += hitTokens / queriedTokens
    const blocks = Math.floor(queriedTokens / blockTokens)
    if (blocks === 0) return
    const found = Math.floor(hitTokens / blockTokens)
    this.#blockLookUps += 1
    this.#queriedBlocks += blocks
    this.#hitBlocks += found
    this.#blockRatios += found / blocks
  }

  hits(): PrefixHits {
    const counts = {
      queriedTokens: this.#queriedTokens,
      hitTokens: this.#hitTokens,
      queriedBlocks: this.#queriedBlocks,
      hitBlocks: this.#hitBlocks,
    }
    const ofTokens =
      this.#lookUps === 0
        ? {}
        : {
            tokenRatioOfSums: this.#hitTokens / this.#queriedTokens,
            tokenMeanOfRatios: this.#tokenRatios / this.#lookUps,
          }
    const ofBlocks =
      this.#blockLookUps === 0
        ? {}
        : {
            blockRatioOfSums: this.#hitBlocks / this.#queriedBlocks,
            blockMeanOfRatios: this.#blockRatios / this.#blockLookUps,
          }
    return { ...counts, ...ofTokens, ...ofBlocks }
  }
}

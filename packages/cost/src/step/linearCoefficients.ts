/** seconds = perStep + perPrefillToken * prefill + perDecodeSequence * decode + perContextToken * decode context. */
export interface LinearCoefficients {
  secondsPerStep: number
  secondsPerPrefillToken: number
  secondsPerDecodeSequence: number
  /** Per token of the decode context sum; 0 when left out. */
  secondsPerContextToken?: number | undefined
}

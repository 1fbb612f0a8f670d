/** What a scenario needs from outside, opened by the app: this package reads no files. */
export interface ScenarioFiles {
  /** Text of the Hugging Face config.json that the scenario names. */
  readonly modelConfig?: string
  /** Text of the parameter file that the calibrated cost names. */
  readonly parameters?: string
  /** Bytes of the trace that the scenario names, in pieces, unpacked. */
  readonly trace?: AsyncIterable<Uint8Array>
}

/** A config.json that cannot be read as an architecture: says which field, what was expected and what was found. */
export class ConfigError extends Error {
  readonly _tag = 'ConfigError'
  /** Path of the field, such as `text_config.num_hidden_layers`. */
  readonly field: string
  readonly expected: string
  readonly found: string

  constructor(field: string, expected: string, found: unknown) {
    const shown = found === undefined ? 'nothing' : JSON.stringify(found).slice(0, 80)
    super(`config.json, field "${field}": expected ${expected}, found ${shown}.`)
    this.name = 'ConfigError'
    this.field = field
    this.expected = expected
    this.found = shown
  }
}

/** A scenario that comes along: its name, what it shows, and its text, to read, run and change. */
export interface Preset {
  readonly name: string
  readonly sentence: string
  readonly text: string
}

/** A command that cannot be obeyed in the state in which the run is. */
export class WrongState extends Error {
  readonly _tag = 'WrongState'
}

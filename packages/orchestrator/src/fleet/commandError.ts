/** A live command that cannot be applied; `message` is a sentence for the person who gave it. */
export class CommandError extends Error {
  readonly _tag = 'CommandError'
  override readonly name = 'CommandError'
}

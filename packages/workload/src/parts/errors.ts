import { nearNames } from './nearNames.ts'

/** A value of an option that a part cannot take: where, what was expected, what was found. */
export class OptionError extends Error {
  readonly _tag = 'OptionError'
  readonly where: string
  readonly expected: string
  readonly found: string

  constructor(where: string, expected: string, found: string) {
    super(`${where}: expected ${expected}, found ${found}.`)
    this.name = 'OptionError'
    this.where = where
    this.expected = expected
    this.found = found
  }
}

/** A name that no registered part or option has. Names the near ones. */
export class UnknownPart extends Error {
  readonly _tag = 'UnknownPart'
  readonly what: string
  readonly found: string
  readonly near: readonly string[]

  constructor(what: string, found: string, known: readonly string[]) {
    const near = nearNames(found, known)
    const advice = near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known: ${known.join(', ')}.`
    super(`There is no ${what} "${found}". ${advice}`)
    this.name = 'UnknownPart'
    this.what = what
    this.found = found
    this.near = near
  }
}

/** A live change that this traffic cannot follow. */
export class CannotSteer extends Error {
  readonly _tag = 'CannotSteer'

  constructor(reason: string) {
    super(reason)
    this.name = 'CannotSteer'
  }
}

/** A closed loop whose requests end at the instant at which they arrive: time would stand still for ever. */
export class ClosedLoopStuck extends Error {
  readonly _tag = 'ClosedLoopStuck'

  constructor(requests: number, seconds: number) {
    super(
      `A closed loop sent ${requests} requests at one instant (${seconds} s), because each ended as it arrived, probably rejected. Give its users thinkSeconds above 0, or requests that the fleet can take.`,
    )
    this.name = 'ClosedLoopStuck'
  }
}

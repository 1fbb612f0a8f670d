/** An input a formula cannot take: says which function, which quantity, what was expected and what was found. */
export class CostInputError extends Error {
  override readonly name = 'CostInputError'
  readonly _tag = 'CostInputError'
  /** The function that was called. */
  readonly where: string
  /** The input, by its name in that function. */
  readonly quantity: string
  readonly expected: string
  readonly found: unknown

  constructor(fields: { where: string; quantity: string; expected: string; found: unknown }) {
    super(`${fields.where}: ${fields.quantity} must be ${fields.expected}, found ${String(fields.found)}`)
    this.where = fields.where
    this.quantity = fields.quantity
    this.expected = fields.expected
    this.found = fields.found
  }
}

/** Throws CostInputError unless every quantity is a finite number above zero. */
export function requirePositive(where: string, quantities: Readonly<Record<string, number>>): void {
  requireEach(where, quantities, 'a finite number above zero', (value) => Number.isFinite(value) && value > 0)
}

/** Throws CostInputError unless every quantity is a finite number, zero or above. */
export function requireNonNegative(where: string, quantities: Readonly<Record<string, number>>): void {
  requireEach(where, quantities, 'a finite number, zero or above', (value) => Number.isFinite(value) && value >= 0)
}

/** Throws CostInputError unless every quantity is a whole number, one or above. */
export function requireCount(where: string, quantities: Readonly<Record<string, number>>): void {
  requireEach(where, quantities, 'a whole number, one or above', (value) => Number.isSafeInteger(value) && value >= 1)
}

/** Throws CostInputError unless every quantity lies above 0 and is at most 1. */
export function requireShare(where: string, quantities: Readonly<Record<string, number>>): void {
  requireEach(where, quantities, 'above 0 and at most 1', (value) => value > 0 && value <= 1)
}

function requireEach(
  where: string,
  quantities: Readonly<Record<string, number>>,
  expected: string,
  holds: (value: number) => boolean,
): void {
  for (const quantity of Object.keys(quantities)) {
    const found = quantities[quantity]
    if (found === undefined || !holds(found)) throw new CostInputError({ where, quantity, expected, found })
  }
}

/** The choice with this name. Throws CostInputError, listing the choices, for any other word. */
export function requireChoice<const Choice extends string>(
  where: string,
  quantity: string,
  choices: readonly Choice[],
  found: string,
): Choice {
  const choice = choices.find((one) => one === found)
  if (choice === undefined)
    throw new CostInputError({ where, quantity, expected: `one of ${choices.join(', ')}`, found })
  return choice
}

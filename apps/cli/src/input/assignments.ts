import { CliFault } from '../fault.ts'

/** Reads `X=4,Y=8`: whole numbers above 0 by name. `what` says in errors what it is. */
export function readCounts(text: string, what: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const piece of text.split(',')) {
    const match = /^\s*([A-Za-z]\w*)\s*=\s*(\d+(?:\.\d+)?(?:e\d+)?)\s*$/i.exec(piece)
    const value = Number(match?.[2])
    if (match === null || !Number.isSafeInteger(value) || value < 1)
      throw new CliFault(`${what}: expected NAME=COUNT pieces such as X=4,Y=8; found ${JSON.stringify(piece)}`)
    found[match[1]!] = value
  }
  return found
}

/** Reads a number such as 34e6; `what` says in errors what it is. */
export function readNumber(text: string, what: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new CliFault(`${what}: expected a number, such as 34e6; found ${JSON.stringify(text)}`)
  return value
}

/** Reads `4,8,16`. */
export function readChipCounts(text: string): number[] {
  return text.split(',').map((piece) => {
    const value = readNumber(piece, '--chips')
    if (!Number.isSafeInteger(value) || value < 1) throw new CliFault(`--chips: expected whole numbers; found ${piece}`)
    return value
  })
}

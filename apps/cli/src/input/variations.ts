import { type Override, readOverride } from '@windtunnel/scenario/overrides/override'
import { CliFault } from '../fault.ts'

/** One way of laying values over a scenario, and what it is called. */
export interface Variation {
  readonly name: string
  readonly overrides: readonly Override[]
}

/**
 * Reads `router=kv-aware,random` and more of them: every combination, the last one turning fastest. Commas inside
 * brackets, braces and quotes belong to a value. Without texts there is one variation, without a name.
 */
export function readVariations(texts: readonly string[]): Variation[] {
  let variations: Variation[] = [{ name: '', overrides: [] }]
  for (const text of texts) {
    const choices = choicesOf(text)
    variations = variations.flatMap(({ name, overrides }) =>
      choices.map((choice) => ({
        name: name === '' ? choice : `${name} ${choice}`,
        overrides: [...overrides, readOverride(choice)],
      })),
    )
  }
  return variations
}

function choicesOf(text: string): string[] {
  const equals = text.indexOf('=')
  const values = equals <= 0 ? [] : piecesOf(text.slice(equals + 1))
  if (values.length === 0 || values.includes(''))
    throw new CliFault(
      `--vary: expected PATH=VALUE,VALUE such as router=kv-aware,random; found ${JSON.stringify(text)}`,
    )
  return values.map((value) => `${text.slice(0, equals)}=${value}`)
}

/** The text cut at commas that are not inside brackets, braces or quotes. */
function piecesOf(text: string): string[] {
  const pieces: string[] = []
  let depth = 0
  let quoted = false
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (letter === '"' && text[at - 1] !== '\\') quoted = !quoted
    else if (quoted) continue
    else if (letter === '[' || letter === '{') depth += 1
    else if (letter === ']' || letter === '}') depth -= 1
    else if (letter === ',' && depth === 0) {
      pieces.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  pieces.push(text.slice(from).trim())
  return pieces
}

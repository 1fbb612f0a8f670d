import { type Override, readOverride } from '@windtunnel/scenario/overrides/override'
import { CliFault } from '../fault.ts'
import type { NamedPolicy } from './policyFile.ts'

/** One way of laying values over a scenario, and what it is called. */
export interface Variation {
  readonly name: string
  readonly overrides: readonly Override[]
  /** Policies of the user's own that take the place of those named. */
  readonly policies: readonly NamedPolicy[]
}

/**
 * Reads `router=kv-aware,random` and more of them: every combination, the last one turning fastest. Commas inside
 * brackets, braces and quotes belong to a value. Without texts there is one variation, without a name. A policy of the
 * user's own is one more value of the option that it takes the place of; where that is not varied, it is varied from what
 * the scenario has.
 */
export function readVariations(texts: readonly string[], policies: readonly NamedPolicy[] = []): Variation[] {
  const axes = texts.map(choicesOf)
  for (const kind of ['router', 'scheduler'] as const) {
    const own = policies.filter((policy) => policy.kind === kind)
    if (own.length === 0) continue
    const axis = axes[texts.findIndex((text) => PLACES[kind].test(text))]
    const choices = own.map((policy) => ({ name: `${kind}=${policy.name}`, overrides: [], policies: [policy] }))
    if (axis === undefined) axes.push([{ name: `${kind} as written`, overrides: [], policies: [] }, ...choices])
    else axis.push(...choices)
  }
  return axes.reduce(
    (variations, choices) => variations.flatMap((before) => choices.map((choice) => both(before, choice))),
    [{ name: '', overrides: [], policies: [] }] as Variation[],
  )
}

/** The option, as `--vary` names it, whose place a policy takes. */
const PLACES = { router: /^router(\.name)?=/, scheduler: /^fleet\[\d+\]\.engine\.scheduler=/ }

const both = (before: Variation, choice: Variation): Variation => ({
  name: before.name === '' ? choice.name : `${before.name} ${choice.name}`,
  overrides: [...before.overrides, ...choice.overrides],
  policies: [...before.policies, ...choice.policies],
})

function choicesOf(text: string): Variation[] {
  const equals = text.indexOf('=')
  const values = equals <= 0 ? [] : piecesOf(text.slice(equals + 1))
  if (values.length === 0 || values.includes(''))
    throw new CliFault(
      `--vary: expected PATH=VALUE,VALUE such as router=kv-aware,random; found ${JSON.stringify(text)}`,
    )
  return values.map((value) => {
    const name = `${text.slice(0, equals)}=${value}`
    return { name, overrides: [readOverride(name)], policies: [] }
  })
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

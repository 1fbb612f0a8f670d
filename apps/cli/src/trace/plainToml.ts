import { CliFault } from '../fault.ts'

type Value = string | number | boolean
type Table = { [name: string]: Value | Table }

/**
 * Reads the TOML that workload descriptions are written in: tables, and keys with texts, numbers, true or false. Throws a
 * fault with the line for anything else.
 */
export function readPlainToml(path: string, text: string): Table {
  const root: Table = {}
  let table = root
  text.split(/\r?\n/).forEach((line, index) => {
    const plain = line.trim()
    if (plain === '' || plain.startsWith('#')) return
    const head = /^\[([\w.-]+)\]\s*(?:#.*)?$/.exec(plain)
    if (head !== null) {
      table = tableAt(root, head[1]!.split('.'))
      return
    }
    const pair = /^([\w-]+)\s*=\s*("[^"\\]*"|'[^']*'|[-+\w.]+)\s*(?:#.*)?$/.exec(plain)
    const value = pair === null ? undefined : scalarOf(pair[2]!)
    if (pair === null || value === undefined)
      throw new CliFault(
        `${path}, line ${index + 1}: expected [table], or key = text, number, true or false; found ${plain}`,
      )
    table[pair[1]!] = value
  })
  return root
}

function tableAt(root: Table, names: readonly string[]): Table {
  let table = root
  for (const name of names) {
    const inner = table[name]
    const next = typeof inner === 'object' ? inner : {}
    table[name] = next
    table = next
  }
  return table
}

function scalarOf(text: string): Value | undefined {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text.startsWith('"') || text.startsWith("'")) return text.slice(1, -1)
  const number = Number(text.replaceAll('_', ''))
  return Number.isFinite(number) ? number : undefined
}

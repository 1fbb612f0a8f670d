/**
 * The text of `JSON.stringify(value, undefined, 1)` in pieces: a long list comes element by element, so that a document
 * longer than the longest string can be written.
 */
export function* jsonPieces(value: unknown, indent = ''): Generator<string> {
  if (Array.isArray(value) && value.length > 0) {
    let before = '['
    for (const element of value) {
      yield `${before}\n${indent} ${indented(element, `${indent} `)}`
      before = ','
    }
    yield `\n${indent}]`
  } else if (isTable(value)) yield* tablePieces(value, indent)
  else yield JSON.stringify(value) ?? 'null'
}

function* tablePieces(table: Readonly<Record<string, unknown>>, indent: string): Generator<string> {
  let before = '{'
  for (const [key, value] of Object.entries(table)) {
    if (value === undefined) continue
    yield `${before}\n${indent} ${JSON.stringify(key)}: `
    yield* jsonPieces(value, `${indent} `)
    before = ','
  }
  yield before === '{' ? '{}' : `\n${indent}}`
}

const isTable = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Line ends within texts are escaped: those of the layout alone are moved in. */
const indented = (element: unknown, indent: string): string =>
  (JSON.stringify(element, undefined, 1) ?? 'null').replaceAll('\n', `\n${indent}`)

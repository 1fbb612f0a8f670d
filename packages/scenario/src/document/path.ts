/** Where something stands in a scenario document: keys and list positions from the root. */
export type Path = readonly (string | number)[]

/** `fleet[0].layout.tp`; the root is `scenario`. */
export function pathText(path: Path): string {
  if (path.length === 0) return 'scenario'
  let text = ''
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else text += text === '' ? key : `.${key}`
  }
  return text
}

/** Reads `fleet[0].layout.tp` or `fleet.0.layout.tp`; undefined when it is not a path. */
export function readPath(text: string): Path | undefined {
  const keys: (string | number)[] = []
  for (const part of text.replaceAll(/\[(\d+)\]/g, '.$1').split('.')) {
    if (!/^[A-Za-z0-9_-]+$/.test(part) || part === '__proto__') return undefined
    keys.push(/^\d+$/.test(part) ? Number(part) : part)
  }
  return keys.length === 0 ? undefined : keys
}

export const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value at `path`; undefined when there is none. */
export function valueAt(root: unknown, path: Path): unknown {
  let value = root
  for (const key of path) {
    if (Array.isArray(value) && typeof key === 'number') value = value[key]
    else if (isTable(value)) value = value[String(key)]
    else return undefined
  }
  return value
}

import type { ScenarioDocument } from '../document/parse.ts'
import { isTable, type Path, pathText, readPath } from '../document/path.ts'
import { ScenarioError } from '../document/problem.ts'

/** One `path=value` from the command line or a study. */
export interface Override {
  readonly path: Path
  /** `undefined` takes the option out. */
  readonly value: unknown
}

/**
 * Reads `fleet[0].replicas=4`. The value is JSON where it reads as JSON (numbers, true, null, lists, groups), else text.
 * Throws a ScenarioError that says the form when it is not a path and a value.
 */
export function readOverride(text: string): Override {
  const equals = text.indexOf('=')
  const path = equals <= 0 ? undefined : readPath(text.slice(0, equals).trim())
  if (path === undefined)
    throw new ScenarioError('--set', [
      {
        path: [],
        message: `expected PATH=VALUE, such as fleet[0].replicas=4 or router=least-loaded; found ${JSON.stringify(text)}`,
      },
    ])
  return { path, value: readValue(text.slice(equals + 1).trim()) }
}

function readValue(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** The document with the overrides laid over it, in order; the schema still checks the result. Changes nothing in place. */
export function applyOverrides(document: ScenarioDocument, overrides: readonly Override[]): ScenarioDocument {
  let value = document.value
  for (const override of overrides) value = withValue(value, override.path, 0, override.value)
  const touched = new Set(overrides.map((override) => pathText(override.path)))
  return {
    source: document.source,
    value,
    lineOf: (path) => (touched.has(pathText(path)) ? undefined : document.lineOf(path)),
  }
}

function withValue(at: unknown, path: Path, depth: number, value: unknown): unknown {
  const key = path[depth]
  if (key === undefined) return value
  if (Array.isArray(at)) {
    const index = typeof key === 'number' ? key : at.findIndex((item) => isTable(item) && item['name'] === key)
    if (index < 0 || index > at.length) throw missingItem(at, path, depth)
    const items = [...(at as unknown[])]
    items[index] = withValue(items[index], path, depth + 1, value)
    return items
  }
  if (at !== undefined && at !== null && !isTable(at))
    throw new ScenarioError('--set', [
      { path, message: `${pathText(path.slice(0, depth))} is ${JSON.stringify(at)}, which has nothing inside to set` },
    ])
  const name = String(key)
  const { [name]: old, ...others } = isTable(at) ? at : {}
  if (value === undefined && (depth === path.length - 1 || old === undefined)) return others
  return { ...(isTable(at) ? at : {}), [name]: withValue(old, path, depth + 1, value) }
}

function missingItem(items: readonly unknown[], path: Path, depth: number): ScenarioError {
  const names = items.flatMap((item) => (isTable(item) && typeof item['name'] === 'string' ? [item['name']] : []))
  const named = names.length === 0 ? '' : `, or one of the names ${names.join(', ')}`
  return new ScenarioError('--set', [
    {
      path,
      message: `${pathText(path.slice(0, depth))} has ${items.length} items: write a position from 0 to ${items.length}${named}; found ${String(path[depth])}`,
    },
  ])
}

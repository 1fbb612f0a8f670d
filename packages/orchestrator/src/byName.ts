/** The parts of a registry by their names, in the order of their names. */
export function byName<Part extends { readonly name: string }>(
  parts: Readonly<Record<string, Part>>,
): ReadonlyMap<string, Part> {
  return new Map(
    Object.values(parts)
      .map((part) => [part.name, part] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  )
}

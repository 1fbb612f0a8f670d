/** A name for a run that needs no escaping in an address: from the scenario's, with a number where that is taken. */
export function freeName(scenario: string, taken: (name: string) => boolean): string {
  const plain = scenario
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  const base = plain === '' ? 'run' : plain
  if (!taken(base)) return base
  let number = 2
  while (taken(`${base}-${number}`)) number += 1
  return `${base}-${number}`
}

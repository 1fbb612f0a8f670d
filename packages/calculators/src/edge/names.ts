import type { FieldDoc, FieldDocs } from '../fields/doc.ts'

const short: Readonly<Record<string, string>> = { seconds: 's', second: 's', joules: 'j' }

/** A name in snake case, as case files write it: `timeSeconds` is `time_s`, `tp-step-time` is `tp_step_time`. */
export const snakeCase = (name: string): string =>
  name
    .replaceAll('-', '_')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/([a-z]{2})(\d+[a-z])/g, '$1_$2')
    .toLowerCase()
    .split('_')
    .map((word) => short[word] ?? word)
    .join('_')

/** A name as typed in a shell: `tpStepTime` is `tp-step-time`. */
export const kebabCase = (name: string): string =>
  name
    .replaceAll('_', '-')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([a-z]{2})(\d+[a-z])/g, '$1-$2')
    .toLowerCase()

/** The field that a key stands for: its own name first, then the others it is known by, in any case. */
export function fieldNamed(docs: FieldDocs, key: string): string | undefined {
  if (Object.hasOwn(docs, key)) return key
  const entries: readonly (readonly [string, FieldDoc])[] = Object.entries(docs)
  const known = entries.find(([, doc]) => doc.also?.includes(key))
  if (known !== undefined) return known[0]
  const wanted = snakeCase(key)
  const same = entries.find(([name]) => snakeCase(name) === wanted)
  return (same ?? entries.find(([, doc]) => doc.also?.some((name) => snakeCase(name) === wanted)))?.[0]
}

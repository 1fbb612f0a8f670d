import { type Document, isDocument, list, numberAt, section, textAt } from './fields.ts'
import { sweepLayout } from './sweepLayout.ts'

/** At few users decoding waits for weights alone: half of the accelerators must read twice as much each. */
const FEW_USERS = 8
const CLEARLY_FASTER = 0.9

interface FewUsers {
  id: string
  ranks: number
  /** TPOT by users, in milliseconds. */
  tpot: Map<number, number>
}

/**
 * Sweeps that answer faster than the same model in the same format on twice the accelerators or more, at a few users: no
 * decoding of one token at a time does. Their record leaves out that they guessed ahead (speculative decoding).
 */
export function impossiblyFast(sweeps: readonly Document[]): Set<string> {
  const groups = new Map<string, FewUsers[]>()
  for (const sweep of sweeps) {
    const found = fewUsersOf(sweep)
    if (found === undefined) continue
    const group = groups.get(found.key)
    if (group === undefined) groups.set(found.key, [found])
    else group.push(found)
  }
  const fast = new Set<string>()
  for (const group of groups.values())
    for (const one of group) if (group.some((other) => outruns(one, other))) fast.add(one.id)
  return fast
}

function outruns(one: FewUsers, other: FewUsers): boolean {
  if (other.ranks < 2 * one.ranks) return false
  return [...one.tpot].some(([users, tpot]) => {
    const slower = other.tpot.get(users)
    return slower !== undefined && tpot < CLEARLY_FASTER * slower
  })
}

/** A sweep's points of few users, and what makes sweeps comparable; undefined where it says too little. */
function fewUsersOf(sweep: Document): (FewUsers & { key: string }) | undefined {
  const config = section(sweep, 'config')
  const id = textAt(sweep, 'id')
  if (id === undefined || textAt(config, 'mode') !== 'agg') return undefined
  const text = (key: string): string => String(config[key] ?? '')
  const key = ['backend', 'backend_version', 'model_path', 'system', 'precision', 'gemm_quant_mode', 'isl', 'osl']
    .map(text)
    .join('|')
  const site = { id, kind: textAt(sweep, 'family') ?? '', server: 8 }
  const { tp, dp, pp } = layoutOrNone(config, site) ?? { tp: 0, dp: 0, pp: 0 }
  const tpot = new Map<number, number>()
  for (const point of list(sweep, 'points').filter(isDocument)) {
    const users = numberAt(point, 'concurrency')
    const milliseconds = numberAt(point, 'tpot_ms')
    if (users !== undefined && milliseconds !== undefined && users <= FEW_USERS) tpot.set(users, milliseconds)
  }
  return tpot.size === 0 || tp === 0 ? undefined : { id, key, ranks: tp * dp * pp, tpot }
}

function layoutOrNone(config: Document, site: Parameters<typeof sweepLayout>[2]) {
  try {
    return sweepLayout(config, '', site, [])
  } catch {
    return undefined
  }
}

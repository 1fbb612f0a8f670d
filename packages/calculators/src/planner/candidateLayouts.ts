import { acceleratorsOf, type ReplicaLayout } from '@windtunnel/cost/step/layout'
import { layerShapes } from '@windtunnel/models'
import type { PlanQuestion } from './planQuestion.ts'

/** Powers of two up to a limit; 1 alone where a kind is not searched. */
function degrees(limit: number, isSearched: boolean): number[] {
  const all = [1]
  for (let next = 2; isSearched && next <= limit; next *= 2) all.push(next)
  return all
}

/**
 * Layouts of one instance to look at, within the cards: tensor, pipeline and context degrees in powers of two, and for
 * models with experts attention ranks that share them, each expert whole on one rank. (Experts whole on the ranks of one
 * tensor group weigh and take what cut ones do, so they are not told apart.)
 */
export function candidateLayouts({ input, architecture }: PlanQuestion): readonly ReplicaLayout[] {
  const searched = (kind: (typeof input.search)[number]) => input.search.includes(kind)
  const hasExperts = layerShapes(architecture).some(({ mlp }) => mlp.kind === 'moe')
  const { cards } = input
  const layouts: ReplicaLayout[] = []
  for (const tp of degrees(cards, searched('tp')))
    for (const pp of degrees(cards / tp, searched('pp')))
      for (const sp of degrees(cards / tp / pp, searched('cp')))
        for (const dp of degrees(cards / tp / pp / sp, searched('ep') && hasExperts))
          layouts.push({ tp, pp, dp, ep: dp > 1 ? tp * dp : 1, sp })
  return layouts.filter((layout) => acceleratorsOf(layout) <= cards)
}

/** A layout in short, such as `dp4 tp2`. */
export function layoutText(instances: number, layout: ReplicaLayout): string {
  const { tp, pp, dp, ep, sp } = layout
  const parts = [`dp${instances}`, `tp${tp}`]
  if (pp > 1) parts.push(`pp${pp}`)
  if (dp > 1) parts.push(`attention-dp${dp}`)
  if (ep > 1) parts.push(`ep${ep}`)
  if (sp > 1) parts.push(`cp${sp}`)
  return parts.join(' ')
}

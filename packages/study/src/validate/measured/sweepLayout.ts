import { layoutOf, type ReplicaLayout } from '@windtunnel/cost/step/layout'
import { type Document, numberAt, textAt } from './fields.ts'
import { MeasuredRunError } from './measuredRunError.ts'

/** Most ranks of one replica. */
const MOST_RANKS = 64

/** Where a configuration stands: its id, the benchmark it is of, and accelerators of one server. */
export interface LayoutSite {
  id: string
  kind: string
  server: number
}

/** Ranks as a configuration names them, each at least 1. */
interface Label {
  tp: number
  dp: number
  ep: number
  expertTensor: number
  pp: number
}

/** Launch scripts of InferenceX that can put attention in data parallel under vLLM. */
const DATA_PARALLEL = (config: Document): boolean =>
  textAt(config, 'backend') !== 'vllm' || /fp4/.test(textAt(config, 'precision') ?? '')

/**
 * The layout that a configuration names; `side` is `prefill_`, `decode_` or nothing. Records of InferenceX multiply ranks that
 * are the same accelerators: other records of the very same points show which. A number of ranks that heads cannot be split
 * over means attention in data parallel. Throws MeasuredRunError for more ranks than a replica has.
 */
export function sweepLayout(config: Document, side: string, site: LayoutSite, assumptions: string[]): ReplicaLayout {
  const degree = (key: string): number => Math.max(1, numberAt(config, `${side}${key}`) ?? 1)
  const label = {
    tp: degree('tp_size'),
    dp: degree('attention_dp_size'),
    ep: degree('moe_ep_size'),
    expertTensor: degree('moe_tp_size'),
    pp: degree('pp_size'),
  }
  const known = site.kind === 'aic-inferencex' ? multipliedLayout(label, config, site, assumptions) : undefined
  return known ?? statedLayout(label, site, assumptions)
}

/** The layout behind a label that counts accelerators more than once; undefined for any other. */
function multipliedLayout(
  { tp, dp, ep, expertTensor, pp }: Label,
  config: Document,
  { server }: LayoutSite,
  assumptions: string[],
): ReplicaLayout | undefined {
  const ranks = tp * dp
  if (dp > 1 && tp === dp && expertTensor === 1) {
    if (ep === ranks && !DATA_PARALLEL(config)) {
      assumptions.push(`tp ${tp}, dp ${dp}, ep ${ep}: ${tp} accelerators, experts spread over them`)
      return layoutOf({ tp, ep: tp, pp })
    }
    assumptions.push(`tp ${tp} with attention data-parallel over the same ${dp} accelerators`)
    return layoutOf({ tp: 1, dp, ep: dp, pp })
  }
  const isProduct = ep > 1 && ranks === expertTensor * ep && (ranks > server || expertTensor === ep)
  if (!isProduct || (tp > 1 && dp > 1)) return undefined
  assumptions.push(`${ranks} ranks are the product of ${expertTensor} and ${ep}: taken for ${expertTensor}`)
  return dp > 1 ? layoutOf({ tp: 1, dp: expertTensor, ep, pp }) : layoutOf({ tp: expertTensor, ep, pp })
}

function statedLayout({ tp, dp, ep, pp }: Label, { id }: LayoutSite, assumptions: string[]): ReplicaLayout {
  const ranks = tp * dp
  if ((tp & (tp - 1)) !== 0) {
    assumptions.push(`${ranks} ranks, over which heads cannot be split: attention in data parallel`)
    return wideExperts(ranks, pp)
  }
  if (ranks === 1 && ep > 1) {
    assumptions.push(`one tensor rank with ${ep} expert ranks: attention in data parallel`)
    return layoutOf({ tp: 1, dp: ep, ep, pp })
  }
  if (ranks > MOST_RANKS) throw new MeasuredRunError(id, `${ranks} ranks are more than a replica can have`)
  return layoutOf({ tp, dp, ep: Math.min(ep, ranks), pp })
}

/** Attention data-parallel ranks over which experts are spread as far as their number (a power of two times a few) allows. */
function wideExperts(ranks: number, pp: number): ReplicaLayout {
  let ep = 1
  while (ranks % (2 * ep) === 0) ep *= 2
  return layoutOf({ tp: 1, dp: ranks, ep, pp })
}

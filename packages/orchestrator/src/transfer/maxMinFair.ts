/** A link and what is left of it while shares are given out. */
export interface SharedLink {
  readonly bytesPerSecond: number
  left: number
  /** Flows on it that have no share yet. */
  open: number
  /** Its place in the order that decides between equals. */
  rank: number
}

/** A flow over some links; `share` is what it gets, in bytes per second. */
export interface Sharer {
  readonly links: readonly SharedLink[]
  share: number
}

const UNSET = 0

/**
 * Gives every flow its max-min fair share by progressive filling: the link that has the least for each of its open flows
 * (of equals the one with the lowest rank) fixes theirs; so on with the others. The order of the subtractions is part of
 * the contract, so that shares are the same to the last bit wherever they are computed.
 */
export function shareFairly(flows: readonly Sharer[]): void {
  // A flow alone, the most frequent case, has its links for itself.
  if (flows.length === 1) {
    const flow = flows[0]!
    flow.share = leastBandwidth(flow.links)
    return
  }
  for (const flow of flows) {
    for (const link of flow.links) {
      link.left = link.bytesPerSecond
      link.open = 0
    }
  }
  for (const flow of flows) {
    flow.share = UNSET
    for (const link of flow.links) link.open += 1
  }
  for (let open = flows.length; open > 0; ) {
    const tightest = tightestOf(flows)
    const share = tightest.left / tightest.open
    for (const flow of flows) {
      if (flow.share !== UNSET || !flow.links.includes(tightest)) continue
      flow.share = share
      open -= 1
      for (const link of flow.links) {
        link.left -= share
        link.open -= 1
      }
    }
  }
}

function leastBandwidth(links: readonly SharedLink[]): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < links.length; i++) least = Math.min(least, links[i]!.bytesPerSecond)
  return least
}

function tightestOf(flows: readonly Sharer[]): SharedLink {
  let tightest: SharedLink | undefined
  let least = Number.POSITIVE_INFINITY
  for (const flow of flows) {
    if (flow.share !== UNSET) continue
    for (const link of flow.links) {
      const each = link.left / link.open
      if (each < least || (each === least && link.rank < tightest!.rank)) {
        tightest = link
        least = each
      }
    }
  }
  return tightest!
}

import type { StepCost } from '@windtunnel/cost'
import { compareTime, copyTime, type RandomStream, setSeconds } from '@windtunnel/des'
import {
  createPromptTree,
  emptyDraft,
  type PromptTree,
  type RequestDraft,
  type RequestSource,
} from '@windtunnel/workload'

export const pick = <Value>(random: RandomStream, values: readonly Value[]): Value =>
  values[random.integer(values.length)]!

/** A source that gives a fixed list of requests in order of arrival, and a follow-up when some of them end. */
export function listed(
  drafts: readonly RequestDraft[],
  followUps: ReadonlyMap<number, RequestDraft> = new Map(),
  tree: PromptTree = createPromptTree(),
): RequestSource {
  const pending = [...drafts].sort((a, b) => compareTime(a.arrival, b.arrival))
  const later = new Map(followUps)
  return {
    tree,
    peek(into) {
      if (pending.length === 0) return false
      copyTime(into, pending[0]!.arrival)
      return true
    },
    take(into) {
      const draft = pending.shift()!
      Object.assign(into, { ...draft, arrival: into.arrival })
      copyTime(into.arrival, draft.arrival)
    },
    ended(tag, _ending, time) {
      const next = later.get(tag)
      if (next === undefined) return
      later.delete(tag)
      const at = { seconds: time.seconds, ticks: time.ticks }
      const after = pending.findIndex((one) => compareTime(one.arrival, at) > 0)
      pending.splice(after < 0 ? pending.length : after, 0, { ...next, arrival: at })
    },
  }
}

/** Requests with text in common, some of which are cancelled or time out; on a grid of 2^-10 s when `grid`. */
export function randomTraffic(random: RandomStream, grid: boolean): RequestSource {
  const tree = createPromptTree()
  const nodes = [0]
  for (let i = 0; i < 6; i++) nodes.push(tree.child(pick(random, nodes), i, 1 + random.integer(40)))
  const drafts: RequestDraft[] = []
  const followUps = new Map<number, RequestDraft>()
  const span = pick(random, [0.02, 0.3, 2])
  const count = 2 + random.integer(40)
  for (let tag = 0; tag < count; tag++) {
    const draft = randomRequest(random, tag, tree, nodes)
    const at = random.uniform() * span
    setSeconds(draft.arrival, grid ? Math.round(at * 1024) / 1024 : at)
    drafts.push(draft)
    if (random.uniform() < 0.3)
      followUps.set(tag, randomRequest(random, tag + 1000, tree, draft.output === 0 ? nodes : [draft.output]))
  }
  return listed(drafts, followUps, tree)
}

function randomRequest(random: RandomStream, tag: number, tree: PromptTree, nodes: readonly number[]): RequestDraft {
  const draft = emptyDraft()
  draft.tag = tag
  draft.outputTokens = 1 + random.integer(pick(random, [1, 8, 60, 60]))
  draft.maxTokens = random.uniform() < 0.4 ? draft.outputTokens + 1 + random.integer(10) : draft.outputTokens
  draft.prompt = pick(random, nodes)
  const own = pick(random, [0, 3, 40])
  draft.inputTokens = Math.max(1, tree.depthOf(draft.prompt) + (own > 0 ? random.integer(own) : 0))
  if (draft.prompt !== 0 && draft.inputTokens === tree.depthOf(draft.prompt))
    draft.output = tree.fresh(draft.prompt, draft.outputTokens)
  draft.session = 1 + random.integer(5)
  draft.priority = random.integer(3)
  if (random.uniform() < 0.15) draft.cancelAfterSeconds = pick(random, [1 / 1024, 5 / 1024, 0.1 * random.uniform()])
  if (random.uniform() < 0.1) draft.timeoutSeconds = pick(random, [8 / 1024, 0.3 * random.uniform()])
  return draft
}

/** Step times on a grid of 2^-10 s when `grid`, so that arrivals meet step ends exactly; else awkward fractions. */
export function randomStepCost(random: RandomStream, grid: boolean): StepCost {
  const base = grid ? (1 + random.integer(4)) / 1024 : 0.002 + 0.01 * random.uniform()
  const slope = grid ? 0 : random.uniform() < 0.2 ? 0 : 1e-6 * random.uniform()
  const windowSlope = grid || random.uniform() < 0.5 ? 0 : 1e-6 * random.uniform()
  const perSequence = grid ? 0 : 1e-5 * random.uniform()
  const perPrompt = grid ? random.integer(4) / 1024 : 2e-4 * random.uniform()
  const knee = random.uniform() < 0.3 ? 50 + random.integer(400) : Number.POSITIVE_INFINITY
  const above = (context: number): number => (context > knee ? (grid ? 1 / 1024 : 1e-3) : 0)
  return {
    backend: 'random',
    extrapolations: [],
    seconds(batch) {
      let prompt = 0
      for (let i = 0; i < batch.chunkCount; i++) prompt += batch.chunkTokens[i]! + batch.chunkContext[i]! / 4
      return (
        base +
        above(batch.decodeContextTokens) +
        perPrompt * (grid ? batch.chunkCount : prompt) +
        perSequence * batch.decodeSequences +
        slope * batch.decodeContextTokens +
        windowSlope * batch.decodeWindowTokens
      )
    },
    decodePiece(sequences, context, into) {
      into.baseSeconds = base + above(context) + perSequence * sequences
      into.slopeSeconds = slope
      into.windowSlopeSeconds = windowSlope
      into.validUntilContextTokens = context > knee ? Number.POSITIVE_INFINITY : knee
      return into
    },
    breakdown: () => ({ weights: 0, kv: 0, compute: base, collectives: 0, host: 0 }),
  }
}

import { bytes, number, percent, seconds } from '../output/format.ts'
import type { StoryFact } from './requestStory.ts'

/** Each fact as a sentence, with the time since arrival. */
export function storyWords(facts: readonly StoryFact[]): string[] {
  const arrival = facts[0]?.time ?? 0
  const firstToken = facts.find((fact) => fact.kind === 'firstToken')?.time
  return facts.map(
    (fact) => `${`+${seconds(fact.time - arrival)}`.padStart(12)}  ${sentence(fact, arrival, firstToken)}`,
  )
}

function sentence(fact: StoryFact, arrival: number, firstToken: number | undefined): string {
  switch (fact.kind) {
    case 'arrived':
      return `arrives at ${seconds(fact.time)} with ${number(fact.inputTokens)} prompt tokens; it will make ${number(fact.outputTokens)}`
    case 'routed':
      return `goes to replica ${fact.replica}`
    case 'admitted':
      return admitted(fact)
    case 'chunk':
      return `a step computes ${number(fact.tokens)} of its tokens${fact.context > 0 ? ` after ${number(fact.context)}` : ''}`
    case 'firstToken':
      return `first token: TTFT ${seconds(fact.time - arrival)}`
    case 'longGap':
      return `the next token, ${seconds(fact.seconds)} after the one before`
    case 'preempted':
      return `preempted on replica ${fact.replica}: KV blocks ran out, its ${number(fact.computedTokens)} computed tokens are lost`
    case 'transferStarted':
      return `its KV (${bytes(fact.bytes)}) begins to move from replica ${fact.from} to ${fact.to}`
    case 'transferred':
      return `its KV has arrived on replica ${fact.to}`
    case 'ended':
      return ended(fact, arrival, firstToken)
  }
}

function admitted(fact: StoryFact & { kind: 'admitted' }): string {
  const cached =
    fact.cachedTokens > 0
      ? `${number(fact.cachedTokens)} of ${number(fact.queriedTokens)} tokens (${percent(fact.cachedTokens / fact.queriedTokens)}) are in the prefix cache`
      : 'nothing of it is in the prefix cache'
  const again = fact.preemptions > 0 ? ` again (preempted ${fact.preemptions} times)` : ''
  return `admitted${again} on replica ${fact.replica}; ${cached}`
}

function ended(fact: StoryFact & { kind: 'ended' }, arrival: number, firstToken: number | undefined): string {
  if (fact.ending !== 'completed')
    return `${fact.ending}: ${fact.reason} (${number(fact.outputTokens)} tokens were delivered)`
  const tpot =
    firstToken !== undefined && fact.outputTokens > 1
      ? `, TPOT ${seconds((fact.time - firstToken) / (fact.outputTokens - 1))}`
      : ''
  return `completed with ${number(fact.outputTokens)} tokens: E2E ${seconds(fact.time - arrival)}${tpot}`
}

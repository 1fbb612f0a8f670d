import { RandomStream } from '@windtunnel/des'
import type { MeasuredRequest } from '../measured/measuredRun.ts'

/** Traffic of a load generator that keeps a rate for a while, then another, and repeats a set of prompts in turn. */
export interface StagedTraffic {
  stages: readonly { requestsPerSecond: number; seconds: number }[]
  /** Tokens of the system prompt that the prompts of one group share, and of the question after it. */
  systemTokens: number
  questionTokens: number
  outputTokens: number
  prompts: number
  groups: number
}

/** A chat template, a line break and the like: prompts come out longer than was asked for, by this and a spread. */
const EXTRA_TOKENS = { mean: 28, spread: 15 }

/** The generator waits for the last answer of a stage before the next begins, a few seconds. */
const PAUSE_SECONDS = 5

/** The requests of such a generator: in each stage rate x duration of them, spread at random and evenly over it. */
export function stagedRequests(traffic: StagedTraffic, seed: number): MeasuredRequest[] {
  const lengths = new RandomStream(seed, 'prompt lengths')
  const arrivals = new RandomStream(seed, 'arrivals')
  const inputs = Array.from(
    { length: traffic.prompts },
    () =>
      traffic.systemTokens +
      traffic.questionTokens +
      Math.round(lengths.between(EXTRA_TOKENS.mean - EXTRA_TOKENS.spread, EXTRA_TOKENS.mean + EXTRA_TOKENS.spread)),
  )
  const requests: MeasuredRequest[] = []
  let start = 0
  for (const { requestsPerSecond, seconds } of traffic.stages) {
    const count = Math.round(requestsPerSecond * seconds)
    const times = Array.from({ length: count }, () => start + arrivals.uniform() * seconds).sort((a, b) => a - b)
    for (const arrivalSeconds of times) {
      const prompt = requests.length % traffic.prompts
      requests.push({
        arrivalSeconds,
        inputTokens: inputs[prompt]!,
        outputTokens: traffic.outputTokens,
        prompt,
        group: Math.floor((prompt * traffic.groups) / traffic.prompts),
        groupTokens: traffic.systemTokens,
      })
    }
    start += seconds + PAUSE_SECONDS
  }
  return requests
}

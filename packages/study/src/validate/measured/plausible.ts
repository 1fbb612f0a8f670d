import type { Deployment, MeasuredRequest, MeasuredRun } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'

/** No load generator sends more in one run, and no prompt is longer: beyond that a file holds a slip of the pen. */
export const MOST_REQUESTS = 1e6
const MOST_TOKENS = 1e8
const LONGEST_SECONDS = 1e7
const MOST_ACCELERATORS = 65536

/** A number of requests that a run can have. Throws MeasuredRunError for any other. */
export function requireRequests(count: number, what: string, where: string): number {
  if (Number.isInteger(count) && count >= 1 && count <= MOST_REQUESTS) return count
  throw new MeasuredRunError(where, `${what} should be a whole number from 1 to ${MOST_REQUESTS}; found ${count}`)
}

const isTokens = (tokens: number): boolean => Number.isInteger(tokens) && tokens >= 1 && tokens <= MOST_TOKENS

function requireTokens(tokens: number, what: string, where: string): void {
  if (isTokens(tokens)) return
  throw new MeasuredRunError(where, `${what} should be a whole number from 1 to ${MOST_TOKENS}; found ${tokens}`)
}

/** Throws MeasuredRunError where traffic or limits of a run cannot be those of any system. */
export function requirePlausible({ id, traffic, deployment }: MeasuredRun): void {
  if (traffic.kind === 'closedLoop') {
    requireRequests(traffic.users, 'the number of users', id)
    requireRequests(traffic.requests, 'the number of requests', id)
    requireTokens(traffic.inputTokens, 'prompt tokens', id)
    requireTokens(traffic.outputTokens, 'output tokens', id)
  } else {
    requireRequests(traffic.requests.length, 'the number of requests', id)
    traffic.requests.forEach((request, i) => {
      if (!isPlausible(request)) throw new MeasuredRunError(id, `request ${i + 1} is none: ${JSON.stringify(request)}`)
    })
  }
  requireLimits(deployment, id)
  for (const pool of [deployment.pool, deployment.prefillPool]) {
    if (pool === undefined) continue
    const { tp, dp, pp } = pool.layout
    const accelerators = pool.replicas * tp * dp * pp
    if (Number.isInteger(accelerators) && accelerators >= 1 && accelerators <= MOST_ACCELERATORS) continue
    throw new MeasuredRunError(id, `has ${accelerators} accelerators; expected at most ${MOST_ACCELERATORS}`)
  }
}

const isPlausible = ({ arrivalSeconds, inputTokens, outputTokens }: MeasuredRequest): boolean =>
  arrivalSeconds >= 0 && arrivalSeconds <= LONGEST_SECONDS && isTokens(inputTokens) && isTokens(outputTokens)

/** Limits of an engine, by the names that run documents give them. */
function requireLimits({ engine }: Deployment, where: string): void {
  const limits = {
    max_num_seqs: engine.maxSequences,
    max_num_batched_tokens: engine.maxBatchedTokens,
    max_model_len: engine.maxModelLength,
    block_size: engine.blockTokens,
    kv_blocks_gpu: engine.kvBlocks,
  }
  for (const [name, value] of Object.entries(limits))
    if (value !== undefined) requireTokens(value, `engine ${name}`, where)
  const share = engine.memoryUtilisation
  if (share === undefined || (share > 0 && share <= 1)) return
  throw new MeasuredRunError(where, `engine gpu_memory_utilization should be above 0 and at most 1; found ${share}`)
}

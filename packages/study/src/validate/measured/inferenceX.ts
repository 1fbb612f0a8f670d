import { compareVersions } from '@windtunnel/cost/calibration/compareVersions'
import type { ReplicaLayout } from '@windtunnel/cost/step/layout'
import type { Deployment } from './measuredRun.ts'

/** What was launched, as far as a sweep says it. */
export interface Launch {
  engine: string
  /** Absent where the sweep names a nightly build or nothing. */
  version: string | undefined
  model: string
  accelerator: string
  /** Format of the experts, or of all weights. */
  precision: string
  layout: ReplicaLayout
}

/** One point of a sweep. */
export interface Load {
  inputTokens: number
  outputTokens: number
  users: number
}

/** Arguments of a server and of its load generator; what is absent is at the engine's default. */
export interface LaunchArguments {
  engine: Partial<Deployment['engine']>
  /** Format of the KV cache, where it is narrower than 16 bits. */
  keyValuePrecision?: 'fp8'
}

/** Room for a prompt, its answer and a chat template. */
const MARGIN_TOKENS = 256

/**
 * The arguments with which the public benchmark InferenceX (github.com/SemiAnalysisAI/InferenceX, `benchmarks/`) launches
 * its servers. Its results name models, accelerators and layouts, but not these. Facts of the launch scripts as they were
 * when the sweeps were recorded, from autumn 2025 to spring 2026; no number here is fitted.
 */
export function inferenceXArguments(launch: Launch, load: Load): LaunchArguments {
  const { engine, ...rest } = byEngine(launch, load)
  return { engine: { maxModelLength: load.inputTokens + load.outputTokens + MARGIN_TOKENS, ...engine }, ...rest }
}

function byEngine(launch: Launch, load: Load): LaunchArguments {
  if (launch.engine === 'vllm') return vllmArguments(launch, load)
  if (launch.engine === 'sglang') return sglangArguments(launch, load)
  return trtllmArguments(launch, load)
}

const isBlackwell = ({ accelerator }: Launch): boolean => /^g?b[23]00/.test(accelerator)
const isFourBit = ({ precision }: Launch): boolean => /fp4/.test(precision)

/**
 * Until version 0.18 mostly defaults, with 16-bit caches; from 0.19 on, and on B300, a budget of two prompts, 8-bit caches,
 * and graphs up to 2,048 tokens. Llama 3.1 70B was served with 8-bit caches and a limit of as many sequences as there were users.
 */
function vllmArguments(launch: Launch, { inputTokens, users }: Load): LaunchArguments {
  const { model, version } = launch
  if (/llama/i.test(model)) {
    return { engine: { maxBatchedTokens: 8192, maxSequences: users }, keyValuePrecision: 'fp8' }
  }
  if (/b300/.test(launch.accelerator) || (version !== undefined && compareVersions(version, '0.19') >= 0)) {
    return { engine: { maxBatchedTokens: 2 * inputTokens, largestGraphTokens: 2048 }, keyValuePrecision: 'fp8' }
  }
  if (isFourBit(launch)) return { engine: { maxBatchedTokens: 8192, maxSequences: users }, keyValuePrecision: 'fp8' }
  if (!isBlackwell(launch)) return { engine: { maxBatchedTokens: 8192, maxSequences: 256 } }
  return { engine: { maxBatchedTokens: 8192, memoryUtilisation: 0.95 } }
}

/**
 * Large chunks of prompts; on Blackwell 8-bit caches, and new requests are looked for after 10 decode steps, or 30 from 16
 * users on.
 */
function sglangArguments(launch: Launch, load: Load): LaunchArguments {
  const { model } = launch
  if (/glm/i.test(model)) return glmArguments(launch, load)
  if (!isBlackwell(launch)) {
    const maxSequences = load.inputTokens === 1024 && load.outputTokens === 1024 ? 512 : 256
    return { engine: { maxBatchedTokens: 32768, maxSequences, memoryUtilisation: 0.82 } }
  }
  const receiveInterval = load.users < 16 ? 10 : 30
  const narrow = launch.precision === 'bf16' ? {} : { keyValuePrecision: 'fp8' as const }
  if (/qwen/i.test(model)) return { engine: { ...qwenEngine(launch, load), receiveInterval }, ...narrow }
  if (isFourBit(launch)) return { engine: { maxBatchedTokens: 16384, maxSequences: 256, receiveInterval }, ...narrow }
  if (launch.layout.tp >= 8)
    return { engine: { maxBatchedTokens: 32768, maxSequences: 128, receiveInterval }, ...narrow }
  return {
    engine: { maxBatchedTokens: 8192, maxSequences: 32, receiveInterval: 10, memoryUtilisation: 0.95 },
    ...narrow,
  }
}

function qwenEngine(launch: Launch, { users }: Load): LaunchArguments['engine'] {
  const isNewest = /b300/.test(launch.accelerator)
  if (isNewest && /fp8/.test(launch.precision)) return { maxBatchedTokens: 16384, maxSequences: users }
  return { maxBatchedTokens: 32768, maxSequences: isFourBit(launch) && !isNewest ? Math.max(128, users) : 128 }
}

function glmArguments(launch: Launch, { users }: Load): LaunchArguments {
  if (!isBlackwell(launch)) return { engine: { maxBatchedTokens: 8192, memoryUtilisation: 0.85 } }
  return { engine: { maxBatchedTokens: 32768, maxSequences: users }, keyValuePrecision: 'fp8' }
}

/** A budget of its own for each model, and graphs for as many sequences as there are users. */
function trtllmArguments({ model, precision, accelerator, layout }: Launch, load: Load): LaunchArguments {
  const { inputTokens, outputTokens, users } = load
  const narrow = { keyValuePrecision: 'fp8' as const }
  if (/llama/i.test(model)) {
    const maxBatchedTokens = /fp4/.test(precision) ? inputTokens + outputTokens + MARGIN_TOKENS : 16384
    const waits = inputTokens === 1024 && outputTokens === 1024 && layout.tp < 8
    const batchWait = waits ? { batchWait: { steps: 20, tokenShare: 0.9 } } : {}
    return { engine: { maxBatchedTokens, maxSequences: 1024, ...batchWait }, ...narrow }
  }
  if (/gpt-oss/i.test(model))
    return { engine: { maxBatchedTokens: 20000, maxSequences: users }, ...(/^h/.test(accelerator) ? {} : narrow) }
  const maxBatchedTokens = Math.max(8192, 64 * Math.ceil((users + inputTokens + 64) / 64))
  return { engine: { maxBatchedTokens, maxSequences: users }, ...narrow }
}

import type { EngineOverheads } from '@windtunnel/cost/step/engineOverheads/index'
import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import { type Engine, type EngineContext, sglang, trtllm, vllm } from '@windtunnel/orchestrator/engines/index'
import { isLarge } from '@windtunnel/scenario/engines/sharedOptions'
import type { Deployment } from '../measured/measuredRun.ts'

/** An engine with its options bound, and what it stands for. */
export interface ServingEngine {
  /** The engine that runs in the simulation. */
  name: 'vllm' | 'sglang' | 'trtllm'
  maxSequences: number
  create(context: EngineContext): Engine
  /** Set where it stands in for another engine. */
  standIn?: string
}

/** What an engine is bound to. `attentionRanks` data-parallel ranks each have limits of their own. */
export interface EngineSite {
  architecture: Architecture
  accelerator: Accelerator
  overheads: EngineOverheads
  totalBlocks: number
  blockTokens: number
  attentionRanks: number
}

export const blockTokensOf = ({ engine }: Deployment): number =>
  engine.blockTokens ?? (engine.name === 'sglang' ? 1 : engine.name === 'trtllm' ? 32 : 16)

/** Most sequences at once on all attention ranks together. */
export function sequencesOf({ engine }: Deployment, accelerator: Accelerator, attentionRanks: number): number {
  const isVllm = engine.name !== 'sglang' && engine.name !== 'trtllm'
  const usual = isVllm ? (isLarge(accelerator) ? 1024 : 256) : 2048
  return (engine.maxSequences ?? usual) * attentionRanks
}

/** The engine of a deployment, or the nearest one there is. */
export function servingEngine(deployment: Deployment, site: EngineSite): ServingEngine {
  const { name } = deployment.engine
  if (name === 'sglang') return sglangEngine(deployment, site)
  return name === 'trtllm' ? trtllmEngine(deployment, site) : vllmEngine(deployment, site)
}

function limitsOf(deployment: Deployment, site: EngineSite) {
  const { engine } = deployment
  return {
    maxSequences: sequencesOf(deployment, site.accelerator, site.attentionRanks),
    blockSize: site.blockTokens,
    totalBlocks: site.totalBlocks,
    maxModelLength: engine.maxModelLength ?? site.architecture.maxContextTokens,
    prefixCache: engine.prefixCache ?? true,
  }
}

function vllmEngine(deployment: Deployment, site: EngineSite): ServingEngine {
  const { engine } = deployment
  const limits = limitsOf(deployment, site)
  const budget = (engine.maxBatchedTokens ?? (isLarge(site.accelerator) ? 8192 : 2048)) * site.attentionRanks
  const options = {
    ...limits,
    maxBatchedTokens: Math.max(budget, limits.maxSequences),
    chunkedPrefill: true,
    longPrefillThreshold: 0,
    reserveFullPrompt: true,
    watermark: 0,
    asyncScheduling: site.overheads.stepsInFlight > 1,
  }
  return {
    name: 'vllm',
    maxSequences: limits.maxSequences,
    create: (context) => vllm.create(context, options),
    ...(engine.name === 'vllm' ? {} : { standIn: `${engine.name} runs under the vllm engine, the nearest there is` }),
  }
}

function trtllmEngine(deployment: Deployment, site: EngineSite): ServingEngine {
  const limits = limitsOf(deployment, site)
  const budget = (deployment.engine.maxBatchedTokens ?? 8192) * site.attentionRanks
  const options = {
    ...limits,
    maxBatchedTokens: Math.max(budget, limits.maxSequences),
    chunkedPrefill: deployment.engine.chunkedPrefill ?? false,
    capacity: 'noEvict' as const,
    overlap: site.overheads.stepsInFlight > 1,
    ...(deployment.engine.batchWait === undefined ? {} : { batchWait: deployment.engine.batchWait }),
  }
  return { name: 'trtllm', maxSequences: limits.maxSequences, create: (context) => trtllm.create(context, options) }
}

function sglangEngine(deployment: Deployment, site: EngineSite): ServingEngine {
  const limits = limitsOf(deployment, site)
  const chunk = (deployment.engine.maxBatchedTokens ?? (isLarge(site.accelerator) ? 8192 : 2048)) * site.attentionRanks
  const options = {
    ...limits,
    chunkedPrefillTokens: chunk,
    maxPrefillTokens: Math.max(deployment.engine.maxPrefillTokens ?? 16384, chunk),
    receiveInterval: deployment.engine.receiveInterval ?? 1,
    mixedChunk: false,
    policy: 'fcfs' as const,
    conservativeness: 1,
    overlap: site.overheads.stepsInFlight > 1,
    retractDecodeSteps: 20,
    keepRetractedText: false,
    reservedDecodeTokens: 512,
  }
  return { name: 'sglang', maxSequences: limits.maxSequences, create: (context) => sglang.create(context, options) }
}

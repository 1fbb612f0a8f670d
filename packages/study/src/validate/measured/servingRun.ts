import { layoutOf } from '@windtunnel/cost/step/layout'
import { stagedRequests } from '../replay/stagedRequests.ts'
import { cellNumber, readCsv } from './csv.ts'
import { type Document, flagAt, isDocument, list, needNumber, needText, numberAt, section, textAt } from './fields.ts'
import { summaryFigures } from './figures.ts'
import type { Deployment, MeasuredRequest, MeasuredRun, MeasuredTraffic } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'
import { requireRequests } from './plausible.ts'
import { publishedErrors } from './published.ts'

/** Files beside a run document, by name; undefined where there is none. */
export type Beside = (name: string) => string | undefined

const SEED = 1

/**
 * A serving run of the documented schema: hardware, model, parallelism, engine, workload, measured figures; its requests
 * stand in a CSV beside it, or are drawn as its stages say. Throws MeasuredRunError where that is not enough.
 */
export function servingRun(document: Document, where: string, beside: Beside): MeasuredRun {
  const id = needText(document, 'id', where)
  const workload = section(document, 'workload')
  const assumptions: string[] = []
  const deployment = deploymentOf(document, id, assumptions)
  const traffic = trafficOf(document, id, beside, assumptions)
  const measured = section(document, 'measured')
  const warm = measured['warm_only_excluding_first_100']
  const summary = section(measured, warm === undefined ? 'summary' : 'warm_only_excluding_first_100')
  const figures = summaryFigures(summary)
  if (figures.tpot === undefined && figures.interToken !== undefined) figures.tpot = figures.interToken
  const published = publishedErrors(document, summaryFigures(section(measured, 'summary')))
  return {
    id,
    level: 'serving',
    family: textAt(document, 'family') ?? 'serving',
    workload: textAt(workload, 'name') ?? 'unnamed',
    load: textAt(workload, 'load_label') ?? 'unstated',
    deployment,
    traffic,
    measured: figures,
    interToken: 'perRequest',
    coldRequests: warm === undefined ? 0 : 100,
    ...unscoredOf(document),
    assumptions,
    ...(Object.keys(published).length === 0 ? {} : { published }),
  }
}

/** Without the engine's version and its limits a run says little about the engine. */
function unscoredOf(document: Document): { unscored?: string } {
  const use = textAt(document, 'use')
  if (use !== undefined && use !== 'yes') return { unscored: `marked "${use}" by its source` }
  const engine = section(document, 'engine')
  const stated = textAt(engine, 'version')
  if (stated === undefined || /not stated|unknown/.test(stated)) {
    return { unscored: 'version and arguments of the engine are not stated' }
  }
  return {}
}

function deploymentOf(document: Document, where: string, assumptions: string[]): Deployment {
  const engine = section(document, 'engine')
  const parallelism = section(document, 'parallelism')
  const degree = (key: string): number => numberAt(parallelism, key) ?? 1
  const layout = layoutOf({ tp: degree('tp'), pp: degree('pp'), dp: degree('dp'), ep: degree('ep') })
  const { pools, note } = poolsOf(textAt(parallelism, 'pd'), layout, where)
  if (note !== undefined) assumptions.push(note)
  const version = textAt(engine, 'version')
  const known = version !== undefined && /^\d/.test(version)
  if (!known) assumptions.push('overheads of vLLM 0.15.1, as the version is not stated')
  const api = textAt(engine, 'api') ?? ''
  return {
    model: needText(section(document, 'model'), 'id', where),
    accelerator: needText(section(document, 'hardware'), 'gpu', where),
    precision: needText(section(document, 'model'), 'precision', where),
    ...pools,
    engine: {
      name: engineName(needText(engine, 'name', where)),
      version: known ? version : '0.15.1',
      ...options(engine),
    },
    clock: /no HTTP|in process/i.test(api) ? 'engine' : 'client',
  }
}

export const engineName = (name: string): string => {
  const spelled = name.toLowerCase().replaceAll(/[^a-z]/g, '')
  return spelled.startsWith('tensorrt') ? 'trtllm' : spelled
}

function poolsOf(pd: string | undefined, layout: Deployment['pool']['layout'], where: string) {
  if (pd === undefined) return { pools: { pool: { replicas: 1, layout } } }
  const parts = /^(\d+)P(\d+)D$/.exec(pd)
  if (parts === null) throw new MeasuredRunError(where, `parallelism.pd should look like 1P1D; found ${pd}`)
  return {
    pools: {
      pool: { replicas: Number(parts[2]), layout },
      prefillPool: { replicas: Number(parts[1]), layout },
    },
    note: 'link between prefill and generate replicas of 50 GB/s',
  }
}

function options(engine: Document): Partial<Deployment['engine']> {
  const cache = flagAt(engine, 'enable_prefix_caching')
  const fields = {
    maxSequences: numberAt(engine, 'max_num_seqs'),
    maxBatchedTokens: numberAt(engine, 'max_num_batched_tokens'),
    maxModelLength: numberAt(engine, 'max_model_len'),
    blockTokens: numberAt(engine, 'block_size'),
    kvBlocks: numberAt(engine, 'kv_blocks_gpu'),
    memoryUtilisation: numberAt(engine, 'gpu_memory_utilization'),
    prefixCache: cache,
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

function trafficOf(document: Document, id: string, beside: Beside, assumptions: string[]): MeasuredTraffic {
  const workload = section(document, 'workload')
  const listed = textAt(workload, 'request_list')
  const csv = beside(listed ?? `${id}.requests.csv`)
  if (csv !== undefined) return { kind: 'replay', requests: recordedRequests(csv, id, workload) }
  const stages = list(workload, 'stages')
  const question = numberAt(workload, 'question_len')
  const output = numberAt(workload, 'output_len')
  if (stages.length === 0 || question === undefined || output === undefined) {
    throw new MeasuredRunError(
      id,
      `traffic unknown: neither ${id}.requests.csv nor workload.stages with question_len and output_len`,
    )
  }
  assumptions.push(
    'arrivals drawn evenly within stages, 100 prompts in turn, prompt lengths drawn about the stated ones',
  )
  const steady = stages.filter(isDocument).map((stage) => ({
    requestsPerSecond: needNumber(stage, 'rate_rps', id),
    seconds: needNumber(stage, 'duration_s', id),
  }))
  const count = steady.reduce((sum, stage) => sum + Math.round(stage.requestsPerSecond * stage.seconds), 0)
  requireRequests(count, 'requests over all stages', id)
  return {
    kind: 'replay',
    requests: stagedRequests(
      {
        stages: steady,
        systemTokens: numberAt(workload, 'system_prompt_len') ?? 0,
        questionTokens: question,
        outputTokens: output,
        prompts: requireRequests(numberAt(workload, 'n_distinct_prompts') ?? 100, 'n_distinct_prompts', id),
        groups: numberAt(workload, 'n_prefix_groups') ?? 10,
      },
      SEED,
    ),
  }
}

/** Requests from a CSV: arrival_s, input_tokens, output_tokens, and prompt_id where prompts repeat. */
function recordedRequests(csv: string, where: string, workload: Document): MeasuredRequest[] {
  const rows = readCsv(csv, `${where}.requests.csv`, ['arrival_s', 'input_tokens', 'output_tokens'])
  const prompts = numberAt(workload, 'n_distinct_prompts')
  const groups = numberAt(workload, 'n_prefix_groups')
  const groupTokens = numberAt(workload, 'system_prompt_len') ?? 0
  return rows.map((row) => {
    const request: MeasuredRequest = {
      arrivalSeconds: cellNumber(row, 'arrival_s') ?? 0,
      inputTokens: Math.max(1, cellNumber(row, 'input_tokens') ?? 1),
      outputTokens: Math.max(1, cellNumber(row, 'output_tokens') ?? 1),
    }
    const prompt = cellNumber(row, 'prompt_id')
    const seen = cellNumber(row, 'prefix_tokens_seen_before')
    if (prompt !== undefined) {
      request.prompt = prompt
      if (prompts !== undefined && groups !== undefined) {
        request.group = Math.floor((prompt * groups) / prompts)
        request.groupTokens = groupTokens
      }
    } else if (seen !== undefined && seen > 0) {
      request.group = 0
      request.groupTokens = seen
    }
    return request
  })
}

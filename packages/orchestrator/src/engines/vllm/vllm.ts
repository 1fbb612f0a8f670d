import type { EngineKind } from '../engine.ts'
import { VllmEngine } from './vllmEngine.ts'

export const vllm: EngineKind = {
  name: 'vllm',
  description:
    'vLLM V1: one token budget a step, running first, chunked prefill, recompute preemption, prefix cache by block hashes',
  create: (context, options) => new VllmEngine(context, options),
}

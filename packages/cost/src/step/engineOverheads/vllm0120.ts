import type { EngineOverheads } from './engineOverheads.ts'
import { vllm0151 } from './vllm0151.ts'

/** Synchronous scheduling: the host's work shows between steps. */
export const vllm0120: EngineOverheads = {
  ...vllm0151,
  name: 'vllm-0.12.0',
  version: '0.12.0',
  source: 'fitted on concurrency sweeps of Qwen3-32B, synchronous scheduling',
  step: { ...vllm0151.step, perStepSeconds: 0.92e-3, perSequenceSeconds: 21e-6, mixedStepSeconds: 4.7e-3 },
  frontEnd: { ...vllm0151.frontEnd, requestSeconds: 11.5e-3, secondsPerPromptToken: 4.2e-6 },
  stepsInFlight: 1,
}

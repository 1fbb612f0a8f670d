import type { EngineOverheads } from './engineOverheads.ts'
import { sglang055 } from './sglang055.ts'

/** Kernels for whole chunks of prompts are compiled when the first one comes: the first wave of users waits for it. */
export const sglang054: EngineOverheads = {
  ...sglang055,
  name: 'sglang-0.5.4',
  version: '0.5.4',
  source: 'host and first use: fitted on half of the concurrency sweeps of DeepSeek R1 NVFP4 on B200 of November 2025',
  step: { ...sglang055.step, perStepSeconds: 1.4e-3 },
  firstUse: { promptTokens: 16384, seconds: 73 },
}

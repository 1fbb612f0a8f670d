import type { Preset } from './preset.ts'

export const sharedPrefixRouting: Preset = {
  name: 'shared-prefix-routing',
  sentence: 'Many long system prompts on four replicas with small caches: what a cache-aware router is worth.',
  text: `version: 1
name: shared-prefix-routing
seed: 1
model: llama-3.1-8b
objectives:
  default: { ttftSeconds: 0.5, tpotSeconds: 0.03 }
fleet:
  - name: default
    hardware: h100-sxm
    replicas: 4
    engine: { name: vllm, kvBlocks: 8000 }
router: kv-aware
traffic:
  arrivals: { name: poisson, requestsPerSecond: 20 }
  structure:
    name: sharedPrefix
    groups: 60
    prefix: { name: uniform, minimum: 2000, maximum: 6000 }
    popularityExponent: 0.8
    input: { name: lognormal, mean: 200, cv: 1, maximum: 4000 }
    output: { name: lognormal, mean: 150, cv: 0.8, maximum: 1000 }
run:
  durationSeconds: 600
`,
}

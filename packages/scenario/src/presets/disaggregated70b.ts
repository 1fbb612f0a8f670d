import type { Preset } from './preset.ts'

export const disaggregated70b: Preset = {
  name: 'disaggregated-70b',
  sentence: 'Llama 70B with prefill and generate on separate pools, KV caches travelling between them.',
  text: `version: 1
name: disaggregated-70b
seed: 1
model: llama-3.1-70b
objectives:
  default: { ttftSeconds: 2, tpotSeconds: 0.05 }
fleet:
  - name: prompts
    role: prefill
    hardware: h100-sxm
    replicas: 2
    layout: { tp: 4 }
  - name: answers
    role: generate
    hardware: h100-sxm
    replicas: 2
    layout: { tp: 4 }
router: least-loaded
transfer: { bytesPerSecond: 50e9, latencySeconds: 0.00002 }
traffic:
  arrivals: { name: poisson, requestsPerSecond: 5 }
  structure:
    name: single
    input: { name: lognormal, mean: 3000, cv: 0.8, maximum: 30000 }
    output: { name: lognormal, mean: 300, cv: 0.7, maximum: 2000 }
run:
  durationSeconds: 1200
`,
}

import type { Preset } from './preset.ts'

/** Quantiles of lengths and the rate are those of the public Azure conversation trace of 2023. */
export const azureConversation: Preset = {
  name: 'azure-conversation',
  sentence: 'Drawn traffic with the rate and lengths of the Azure conversation trace of 2023, on two replicas.',
  text: `version: 1
name: azure-conversation
seed: 1
model: llama-3.1-8b
objectives:
  default: { ttftSeconds: 0.5, tpotSeconds: 0.05 }
fleet:
  - name: default
    hardware: h100-sxm
    replicas: 2
router: least-loaded
traffic:
  arrivals: { name: gamma, requestsPerSecond: 5.53, cv: 1.09 }
  structure:
    name: single
    input:
      name: quantiles
      points:
        - { quantile: 0, tokens: 3 }
        - { quantile: 0.5, tokens: 1020 }
        - { quantile: 0.9, tokens: 2500 }
        - { quantile: 0.99, tokens: 4142 }
        - { quantile: 1, tokens: 14000 }
    output:
      name: quantiles
      points:
        - { quantile: 0, tokens: 7 }
        - { quantile: 0.5, tokens: 129 }
        - { quantile: 0.9, tokens: 425 }
        - { quantile: 0.99, tokens: 601 }
        - { quantile: 1, tokens: 1000 }
run:
  durationSeconds: 3500
`,
}

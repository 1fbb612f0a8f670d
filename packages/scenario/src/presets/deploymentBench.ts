import type { Preset } from './preset.ts'

const scenario = (name: string, fault: string): string => `version: 1
name: ${name}
seed: 1
model: qwen3-32b
cost:
  backend: alphaBeta
  near: { alphaSeconds: 8.22e-7, bytesPerSecond: 450e9 }
  residentContext: true
objectives:
  default: { e2eSeconds: 0.13 }
fleet:
  - name: default
    hardware: h100-sxm
    # Eight cards: tp x replicas. One session at a time, and every context goes in whole.
    replicas: 4
    layout: { tp: 2 }
    engine:
      name: vllm
      maxSequences: 1
      maxBatchedTokens: 131072
      maxModelLength: 131088
      kvBlocks: 8193
      asyncScheduling: false
router: round-robin
${fault}traffic:
  arrivals: { name: allAtOnce, requests: 4 }
  structure:
    name: single
    # 131,064 tokens in the cache, and the one whose turn it is in the first step.
    input: { name: fixed, tokens: 131065 }
    output: { name: fixed, tokens: 8 }
`

/**
 * The deployment bench of the parallelism chapter (section 6.7), which the planner has as its preset `bench`: both give the
 * same completion times. For another layout set tp and replicas so that they make eight cards. Contexts count as prompts that
 * were computed: what a report says of input tokens and MFU has no meaning here.
 */
export const deploymentBench: Preset = {
  name: 'deployment-bench',
  sentence:
    'Four sessions of 131,064 tokens, eight decode steps each, on eight cards: what tensor parallelism is worth.',
  text: scenario('deployment-bench', ''),
}

/**
 * The same with the failure of that chapter: a card of the first instance fails at 20 ms; the instance is down for 40 ms, and
 * the session that it served starts over. Its variant in which a session goes on where it was is the calculator's alone.
 */
export const deploymentBenchFailure: Preset = {
  name: 'deployment-bench-failure',
  sentence: 'The same with a card that fails at 20 ms: its instance is down for 40 ms, and its session starts over.',
  text: scenario(
    'deployment-bench-failure',
    `outages:
  - { replica: 0, atSeconds: 0.02, downSeconds: 0.04 }
`,
  ),
}

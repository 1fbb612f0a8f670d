import type { Preset } from './preset.ts'

export const demoChat: Preset = {
  name: 'demo-chat',
  sentence: 'Chat sessions with a shared system prompt on four replicas, busy but not overloaded.',
  text: `version: 1
name: demo-chat
seed: 1
model: llama-3.1-8b
objectives:
  default: { ttftSeconds: 0.5, tpotSeconds: 0.03 }
fleet:
  - name: chat
    hardware: h100-sxm
    replicas: 4
    engine: { name: vllm, maxSequences: 256 }
    startUpSeconds: 20
router: least-loaded
traffic:
  arrivals: { name: poisson, requestsPerSecond: 8 }
  structure:
    name: sessions
    turns: { name: lognormal, mean: 4, cv: 0.8 }
    systemTokens: 600
    input: { name: lognormal, mean: 350, cv: 1.2, maximum: 16000 }
    output: { name: lognormal, mean: 260, cv: 0.8, maximum: 2000 }
    thinkSeconds: 20
    maximumContextTokens: 32000
run:
  durationSeconds: 3600
`,
}

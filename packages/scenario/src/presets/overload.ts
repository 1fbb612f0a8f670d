import type { Preset } from './preset.ts'

export const overload: Preset = {
  name: 'overload',
  sentence: 'A ramp to more than one replica can serve: queues, preemptions and broken promises.',
  text: `version: 1
name: overload
seed: 1
model: llama-3.1-8b
objectives:
  default: { ttftSeconds: 1, tpotSeconds: 0.05 }
fleet:
  - name: default
    hardware: l40s
    replicas: 1
router: round-robin
traffic:
  arrivals: { name: ramp, fromRequestsPerSecond: 2, toRequestsPerSecond: 9, rampSeconds: 600 }
  structure:
    name: single
    input: { name: lognormal, mean: 800, cv: 1, maximum: 16000 }
    output: { name: lognormal, mean: 300, cv: 0.8, maximum: 2000 }
  clients: { cancelShare: 0.3, patienceSeconds: 30, timeoutSeconds: 120 }
run:
  durationSeconds: 600
`,
}

import type { Preset } from './preset.ts'

export const chatAndBatch: Preset = {
  name: 'chat-and-batch',
  sentence: 'Short questions and long documents on the same two replicas: change their mix and see who waits.',
  text: `version: 1
name: chat-and-batch
seed: 1
model: llama-3.1-8b
objectives:
  chat: { ttftSeconds: 0.5, tpotSeconds: 0.03 }
  batch: { ttftSeconds: 20 }
fleet:
  - name: shared
    hardware: h100-sxm
    replicas: 2
    startUpSeconds: 20
router: least-loaded
traffic:
  streams:
    - serviceClass: chat
      arrivals: { name: poisson, requestsPerSecond: 9 }
      structure:
        name: single
        input: { name: lognormal, mean: 500, cv: 1, maximum: 8000 }
        output: { name: lognormal, mean: 200, cv: 0.8, maximum: 1000 }
    - serviceClass: batch
      arrivals: { name: poisson, requestsPerSecond: 1 }
      structure:
        name: single
        input: { name: lognormal, mean: 8000, cv: 0.5, maximum: 30000 }
        output: { name: lognormal, mean: 400, cv: 0.5, maximum: 2000 }
run:
  durationSeconds: 3600
`,
}

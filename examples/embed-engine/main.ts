import { RunRecorder } from '@windtunnel/metrics'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { readScenario } from '@windtunnel/scenario/schema/decode'

// The engine inside a program of one's own, without a server: what does one more replica do to the tail of TTFT?
// npx node --conditions=@windtunnel/source examples/embed-engine/main.ts
const text = (replicas: number): string => `
version: 1
name: embedded
model: llama-3.1-8b
fleet:
  - { hardware: h100, replicas: ${replicas} }
traffic:
  arrivals: { name: poisson, requestsPerSecond: 20 }
  structure:
    name: single
    input: { name: lognormal, mean: 2000, cv: 1 }
    output: { name: lognormal, mean: 250, cv: 1 }
run: { durationSeconds: 300 }
`

for (const replicas of [2, 3, 4]) {
  const run = buildRun(readScenario(text(replicas)))
  const recorder = new RunRecorder({ objectives: run.objectives }).attach(run.simulation)
  runBatch(run.simulation, { durationSeconds: 300 })
  const { ttft, throughput } = recorder.document(run.simulation, labelsOf(run, 0))
  const p99 = ttft.p99 === undefined ? 'none' : `${(ttft.p99 * 1000).toFixed(0)} ms`
  process.stdout.write(
    `${replicas} replicas: TTFT p99 ${p99}, ${throughput.outputTokensPerSecond.toFixed(0)} tokens/s\n`,
  )
}

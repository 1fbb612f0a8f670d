import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { checkScenario } from '@windtunnel/scenario/schema/decode'

/** Runs a scenario, percentiles on, in a process of its own that loads the bundled engine. */
export function simulate(document: unknown, name: string): Simulated {
  const scenario = checkScenario(document, `bench ${name}`)
  const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, 'dist/simulate.js')], {
    encoding: 'utf8',
    input: JSON.stringify({ scenario }),
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  if (status !== 0) throw new Error(`benchmark ${name} failed; is the engine bundled (npm run build:node)?`)
  return JSON.parse(stdout) as Simulated
}

export interface Simulated {
  requests: number
  outputTokens: number
  simulatorSeconds: number
  peakRssMiB: number
  factsHash: string
}

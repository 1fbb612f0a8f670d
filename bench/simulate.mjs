// Runs one scenario, already checked, in a process that loads the engine and nothing else. Bundled, as the benchmarks start it
// (bench/dist), it takes what an app takes that embeds the engine. Standard input: { scenario }; standard output: the figures
// as JSON.
import { readFileSync } from 'node:fs'
import { RunRecorder } from '@windtunnel/metrics/summary/runRecorder'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { compileLargerFunctions } from '@windtunnel/study/workers/largerFunctions'

const { scenario } = JSON.parse(readFileSync(0, 'utf8'))
const run = buildRun(scenario)
const recorder = new RunRecorder({ objectives: run.objectives })
recorder.attach(run.simulation)
const { durationSeconds } = scenario.run
// As the command does; WINDTUNNEL_PLAIN=1 measures Node as it is without.
if (process.env.WINDTUNNEL_PLAIN === undefined) compileLargerFunctions()
const started = performance.now()
runBatch(run.simulation, durationSeconds === undefined ? {} : { durationSeconds })
const simulatorSeconds = (performance.now() - started) / 1000
const summary = recorder.document(run.simulation, labelsOf(run, simulatorSeconds))
const { requests, throughput, simulatedSeconds, factsHash } = summary
process.stdout.write(
  JSON.stringify({
    requests: requests.completed,
    outputTokens: throughput.outputTokensPerSecond * simulatedSeconds,
    simulatorSeconds,
    peakRssMiB: peakMiB(),
    factsHash,
  }),
)

/**
 * The most memory this program has had. Where Linux tells of it, not what the process says of its use: that is never less than
 * what its parent had when it started this one.
 */
function peakMiB() {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync('/proc/self/status', 'utf8'))[1]) / 1024
  } catch {
    return process.resourceUsage().maxRSS / 1024
  }
}

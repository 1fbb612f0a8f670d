import { cases } from './cases/all.ts'
import type { BenchCase } from './cases/benchCase.ts'
import { type Measurement, measure, measureNaive } from './measure.ts'

const usage = `npm run bench                    every benchmark, the median of five runs of each
npm run bench -- NAME            one of: ${cases.map(({ name }) => name).join(', ')}
npm run bench -- NAME --json     one run of it, as one JSON document
npm run bench -- --runs 3        the median of so many runs`

function main(args: readonly string[]): void {
  const json = args.includes('--json')
  const runsAt = args.indexOf('--runs')
  const runs = runsAt >= 0 ? Number(args[runsAt + 1]) : 5
  const names = args.filter((arg, at) => !arg.startsWith('--') && (runsAt < 0 || at !== runsAt + 1))
  const unknown = names.find((name) => !cases.some((bench) => bench.name === name))
  if (unknown !== undefined || !(runs >= 1) || args.includes('--help')) {
    process.stderr.write(`${unknown === undefined ? '' : `unknown benchmark "${unknown}"\n`}${usage}\n`)
    process.exitCode = 2
    return
  }
  if (json && names.length === 1) {
    const bench = cases.find(({ name }) => name === names[0])!
    process.stdout.write(`${JSON.stringify(run(bench))}\n`)
    return
  }
  const chosen = names.length === 0 ? cases : cases.filter(({ name }) => names.includes(name))
  for (const bench of chosen) {
    const measured = Array.from({ length: runs }, () => run(bench)).sort((a, b) => a.value - b.value)
    const { value, unit, requests, peakRssMiB, node, cpu } = measured[Math.floor(runs / 2)]!
    if (bench === chosen[0]) process.stdout.write(`Node ${node}, ${cpu}; medians of ${runs}\n`)
    const shown = unit === 's' ? value.toFixed(2) : Math.round(value).toLocaleString('en')
    const spread = `${format(measured[0]!.value)} to ${format(measured.at(-1)!.value)}`
    process.stdout.write(
      `${bench.name.padEnd(14)} ${shown.padStart(14)} ${unit.padEnd(10)} (${spread})  ${requests.toLocaleString('en')} requests, ${Math.round(peakRssMiB)} MiB\n`,
    )
  }
}

const run = (bench: BenchCase): Measurement => (bench.naive === true ? measureNaive(bench) : measure(bench))

const format = (value: number): string => (value < 100 ? value.toFixed(2) : Math.round(value).toLocaleString('en'))

main(process.argv.slice(2))

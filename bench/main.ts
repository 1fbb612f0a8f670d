import { parseArgs } from 'node:util'
import { cases } from './cases/all.ts'
import type { BenchCase } from './cases/benchCase.ts'
import { type Measurement, measure, measureNaive } from './measure.ts'

const usage = `npm run bench                    every benchmark, the median of five runs of each
npm run bench -- NAME            one of: ${cases.map(({ name }) => name).join(', ')}
npm run bench -- NAME --json     one run of it, as one JSON document
npm run bench -- --runs 3        the median of so many runs`

const options = { json: { type: 'boolean' }, runs: { type: 'string' }, help: { type: 'boolean' } } as const

/** What was asked for; throws a sentence about what is not known or does not fit. */
function read(args: readonly string[]): { names: string[]; runs: number; json: boolean; help: boolean } {
  const { values, positionals: names } = parseArgs({ args: [...args], options, allowPositionals: true })
  const { json = false, help = false } = values
  const runs = Number(values.runs ?? 5)
  const unknown = names.find((name) => !cases.some((bench) => bench.name === name))
  if (unknown !== undefined) throw new Error(`unknown benchmark "${unknown}"`)
  if (!Number.isInteger(runs) || runs < 1)
    throw new Error(`--runs: expected a whole number from 1 on, found "${values.runs}"`)
  if (json && (names.length !== 1 || values.runs !== undefined))
    throw new Error('--json writes one run of one benchmark: name one, without --runs')
  return { names, runs, json, help }
}

function main(args: readonly string[]): void {
  let asked: ReturnType<typeof read>
  try {
    asked = read(args)
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n${usage}\n`)
    process.exitCode = 2
    return
  }
  const { names, runs, json, help } = asked
  if (help) {
    process.stdout.write(`${usage}\n`)
    return
  }
  if (json) {
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

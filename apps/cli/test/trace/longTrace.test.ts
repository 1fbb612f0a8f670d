import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandFolder, plainScenario } from '../inFolder.ts'

const { folder, write } = commandFolder()
write('plain.yaml', plainScenario.replace('run: { maxRequests: 200 }', 'run: {}'))

/** A trace of ten requests a second. */
function trace(rows: number): string {
  const name = `${rows}.csv`
  const file = openSync(join(folder, name), 'w')
  writeSync(file, 'arrived_at,num_prefill_tokens,num_decode_tokens\n')
  for (let from = 0; from < rows; from += 10_000) {
    const piece = Array.from({ length: Math.min(10_000, rows - from) }, (_, at) => from + at)
    writeSync(file, piece.map((row) => `${row / 10},${1 + (row % 700)},${1 + (row % 7)}\n`).join(''))
  }
  closeSync(file)
  return name
}

const main = join(import.meta.dirname, '..', '..', 'src', 'main.ts')
const tellPeak =
  "data:text/javascript,process.on('exit',()=>process.stderr.write(String(process.resourceUsage().maxRSS)))"

/** Largest resident memory of the command, in megabytes. */
function peakMegabytes(...args: string[]): number {
  const flags = ['--conditions=@windtunnel/source', '--no-warnings', '--import', tellPeak, main]
  const { status, stderr } = spawnSync(process.execPath, [...flags, ...args], { encoding: 'utf8', cwd: folder })
  expect(status).toBe(0)
  return Number(stderr) / 1024
}

describe('a long trace', () => {
  // 300,000 rows would be some 40 MB of text and as much again of requests.
  it('takes hardly more memory than a short one, to inspect and to replay', () => {
    const short = trace(1000)
    const long = trace(300_000)
    for (const command of [
      ['trace', 'inspect'],
      ['run', 'plain.yaml', '--json', '--trace'],
    ]) {
      const growth = peakMegabytes(...command, long) - peakMegabytes(...command, short)
      expect(growth, command.join(' ')).toBeLessThan(50)
    }
  }, 120_000)
})

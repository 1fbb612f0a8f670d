import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { ClientMessage } from '@windtunnel/protocol'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { LiveRun } from '../../src/run/liveRun.ts'
import { openScenarioFiles } from '../../src/run/scenarioFiles.ts'
import { prepareScenario } from '../../src/run/scenarioRun.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-files-'))
afterAll(() => rmSync(folder, { recursive: true }))

const stamp = (row: number): string => new Date(1.7e12 + 100 * row).toISOString().replace('T', ' ').replace('Z', '')
const rows = Array.from({ length: 20_000 }, (_, row) => `${stamp(row)},${100 + (row % 7)},${10 + (row % 5)}`)
const csv = `TIMESTAMP,ContextTokens,GeneratedTokens\n${rows.join('\n')}\n`

const scenario = (file: string) =>
  readScenario(`version: 1
model: llama-3.1-8b
fleet: [{ hardware: h100 }]
traffic: { trace: { file: ${file} } }
`)

async function text(file: string): Promise<string> {
  const pieces: Uint8Array[] = []
  const { trace } = await openScenarioFiles(scenario(file), folder)
  for await (const piece of trace!) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

describe('the trace of a scenario', () => {
  it('is unpacked when its first bytes say gzip, whatever its name', async () => {
    writeFileSync(join(folder, 'plain.csv'), csv)
    writeFileSync(join(folder, 'plain.csv.gz'), csv)
    writeFileSync(join(folder, 'packed.csv'), gzipSync(csv))
    writeFileSync(join(folder, 'empty.csv'), '')
    for (const file of ['plain.csv', 'plain.csv.gz', 'packed.csv']) expect(await text(file)).toBe(csv)
    expect(await text('empty.csv')).toBe('')
  })

  it('that is not there, or broken, is said', async () => {
    await expect(text('nowhere.csv')).rejects.toThrow('nowhere.csv')
    writeFileSync(join(folder, 'broken.csv'), gzipSync(csv).subarray(0, 2000))
    await expect(text('broken.csv')).rejects.toThrow('unexpected end of file')
  })

  it('is closed when the run begins again, and when it is over', async () => {
    writeFileSync(join(folder, 'long.csv'), csv)
    const named = scenario('long.csv')
    const run = new LiveRun({
      run: 'traced',
      prepare: prepareScenario(named, () => openScenarioFiles(named, folder)),
      tell: () => undefined,
      clock: () => 0,
    })
    const opened = (): number => readdirSync('/proc/self/fd').length
    await run.open()
    const before = opened()
    for (let again = 0; again < 20; again++) await run.command({ type: 'reset', id: String(again) } as ClientMessage)
    await vi.waitFor(() => expect(opened()).toBeLessThanOrEqual(before + 1), { timeout: 4000 })
  })
})

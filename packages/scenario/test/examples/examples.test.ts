import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { buildRun } from '../../src/build/buildRun.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { presetList } from '../../src/presets/index.ts'
import { readScenario } from '../../src/schema/decode.ts'

const folder = join(import.meta.dirname, '..', '..', '..', '..', 'examples')
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.yaml') && !name.includes('node_modules'),
)
const texts = [...files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') })), ...presetList]

describe('every example and preset', () => {
  it.each(texts)('$name runs, and answers requests in its first minute', ({ name, text }) => {
    const run = buildRun(readScenario(text, name))
    runBatch(run.simulation, { durationSeconds: 60 })
    const view = run.simulation.view()
    // Work that comes as a batch of a few is done with all of it.
    const { arrivals } = run.scenario.traffic
    const batch = arrivals?.name === 'allAtOnce' ? Number(arrivals['requests']) : 21
    expect(view.completed).toBeGreaterThanOrEqual(Math.min(21, batch))
    expect(run.simulation.stuck?.()).toBeUndefined()
  })
})

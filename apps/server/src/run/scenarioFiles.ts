import { createReadStream } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createGunzip } from 'node:zlib'
import type { ScenarioFiles } from '@windtunnel/scenario/build/files'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'

const PIECE_BYTES = 256 * 1024

/** Opens the files that a scenario names, from their start. Paths that are not absolute are relative to `folder`. */
export async function openScenarioFiles(scenario: Scenario, folder: string): Promise<ScenarioFiles> {
  const { trace } = scenario.traffic
  const config = typeof scenario.model === 'string' ? undefined : scenario.model.config
  const parameters = scenario.cost.backend === 'calibrated' ? scenario.cost.parameters : undefined
  return {
    ...(config === undefined ? {} : { modelConfig: await readFile(resolve(folder, config), 'utf8') }),
    ...(parameters === undefined ? {} : { parameters: await readFile(resolve(folder, parameters), 'utf8') }),
    ...(trace === undefined ? {} : { trace: await bytesOf(resolve(folder, trace.file)) }),
  }
}

/** The bytes of a file in pieces, unpacked when its name ends in .gz. */
async function bytesOf(path: string): Promise<AsyncIterable<Uint8Array>> {
  await access(path)
  const bytes = createReadStream(path, { highWaterMark: PIECE_BYTES })
  if (!path.endsWith('.gz')) return bytes
  const unpacked = createGunzip()
  bytes.on('error', (fault) => unpacked.destroy(fault))
  return bytes.pipe(unpacked)
}

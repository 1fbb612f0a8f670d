import { access, open, readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { ScenarioFiles } from '@windtunnel/scenario/build/files'
import { parameterFileOf } from '@windtunnel/scenario/build/parameters'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'

const PIECE_BYTES = 256 * 1024
const GZIP = [0x1f, 0x8b]

/** Opens the files that a scenario names, from their start. Paths that are not absolute are relative to `folder`. */
export async function openScenarioFiles(scenario: Scenario, folder: string): Promise<ScenarioFiles> {
  const { trace } = scenario.traffic
  const config = typeof scenario.model === 'string' ? undefined : scenario.model.config
  const parameters = parameterFileOf(scenario)
  if (trace !== undefined) await access(resolve(folder, trace.file))
  return {
    ...(config === undefined ? {} : { modelConfig: await readFile(resolve(folder, config), 'utf8') }),
    ...(parameters === undefined ? {} : { parameters: await readFile(resolve(folder, parameters), 'utf8') }),
    ...(trace === undefined ? {} : { trace: bytesOf(resolve(folder, trace.file)) }),
  }
}

/** The bytes of a file in pieces; gzip is unpacked, whatever the name. The file is closed when its reader is done. */
async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  const file = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(GZIP.length), 0, GZIP.length, 0)
    const packed = bytesRead === GZIP.length && GZIP.every((byte, at) => buffer[at] === byte)
    const bytes = file.createReadStream({ highWaterMark: PIECE_BYTES, start: 0, autoClose: false })
    if (packed) yield* unpacked(bytes)
    else yield* bytes
  } finally {
    await file.close()
  }
}

function unpacked(bytes: Readable): Readable {
  const pieces = createGunzip()
  bytes.on('error', (fault) => pieces.destroy(fault))
  return bytes.pipe(pieces)
}

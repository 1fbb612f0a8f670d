import { RunLog } from '@windtunnel/protocol/runLog'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { CliFault } from '../fault.ts'
import { readTextFile } from './textFile.ts'

const decode = Schema.decodeUnknownResult(RunLog, { errors: 'all', onExcessProperty: 'error' })

/** The log of a live run, as the server gives it: its seed, and every command with its virtual time. */
export async function readCommandLog(path: string): Promise<{ seed: number; replay: readonly LoggedCommand[] }> {
  const result = decode(parsed(path, await readTextFile(path)))
  if (Result.isFailure(result)) throw new CliFault(`${path} is not the log of a live run: ${result.failure.message}`)
  const { seed, commands } = result.success
  return { seed, replay: commands.map(({ seconds, ticks, command }) => ({ time: { seconds, ticks }, command })) }
}

function parsed(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new CliFault(`${path} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

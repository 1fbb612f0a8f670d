import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import * as Result from 'effect/Result'
import * as Schema from 'effect/Schema'
import { CliFault } from '../fault.ts'
import { readTextFile } from './textFile.ts'

const name = { name: Schema.String }
const replica = { replica: Schema.Int }

const Command = Schema.Union([
  Schema.Struct({ kind: Schema.Literal('rate'), requestsPerSecond: Schema.Finite }),
  Schema.Struct({
    kind: Schema.Literal('mix'),
    weights: Schema.optionalKey(Schema.Record(Schema.String, Schema.Finite)),
    promptScale: Schema.optionalKey(Schema.Finite),
    outputScale: Schema.optionalKey(Schema.Finite),
  }),
  Schema.Struct({ kind: Schema.Literal('router'), ...name }),
  Schema.Struct({ kind: Schema.Literal('scheduler'), ...name }),
  Schema.Struct({ kind: Schema.Literal('addReplica'), pool: Schema.String }),
  Schema.Struct({ kind: Schema.Literal('removeReplica'), ...replica }),
  Schema.Struct({ kind: Schema.Literal('killReplica'), ...replica }),
])

const CommandLog = Schema.Struct({
  seed: Schema.Int,
  commands: Schema.Array(Schema.Struct({ seconds: Schema.Finite, ticks: Schema.Finite, command: Command })),
})

const decode = Schema.decodeUnknownResult(CommandLog, { errors: 'all', onExcessProperty: 'error' })

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

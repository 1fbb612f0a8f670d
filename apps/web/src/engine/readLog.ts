import { RunLog } from '@windtunnel/protocol/runLog'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import * as Schema from 'effect/Schema'

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(RunLog))

/** The commands of a run's log, JSON text. Throws an Error with a sentence when it is not one. */
export const readLog = (text: string): { seed: number; replay: LoggedCommand[] } => {
  try {
    const { seed, commands } = decode(text)
    return { seed, replay: commands.map(({ seconds, ticks, command }) => ({ time: { seconds, ticks }, command })) }
  } catch (cause) {
    throw new Error('The commands in this address are damaged: copy the whole link again.', { cause })
  }
}

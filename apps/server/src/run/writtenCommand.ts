import type { Command } from '@windtunnel/orchestrator'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'

/** A logged command as it is written down: whole virtual seconds, and ticks beyond them. */
export interface WrittenCommand {
  readonly seconds: number
  readonly ticks: number
  readonly command: Command
}

export const written = ({ time, command }: LoggedCommand): WrittenCommand => ({
  seconds: time.seconds,
  ticks: time.ticks,
  command,
})

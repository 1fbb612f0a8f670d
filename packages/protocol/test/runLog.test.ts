import type { Command } from '@windtunnel/orchestrator'
import { describe, expectTypeOf, it } from 'vitest'
import type { LoggedCommand } from '../src/runLog.ts'

describe('a command in the log', () => {
  it('is a command of the simulation, and each of those can be written down', () => {
    expectTypeOf<typeof LoggedCommand.Type>().toExtend<Command>()
    expectTypeOf<Command>().toExtend<typeof LoggedCommand.Type>()
  })
})

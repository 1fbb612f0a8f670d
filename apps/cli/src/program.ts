import * as NodeServices from '@effect/platform-node/NodeServices'
import * as Cause from 'effect/Cause'
import * as Console from 'effect/Console'
import * as CliError from 'effect/cli/CliError'
import * as CliOutput from 'effect/cli/CliOutput'
import * as Command from 'effect/cli/Command'
import * as Effect from 'effect/Effect'
import * as Exit from 'effect/Exit'
import { explainInstead } from './commands/calc.ts'
import { commands } from './commands/index.ts'
import { CliFault, printable } from './fault.ts'
import { version } from './version.ts'

const windtunnel = Command.make('windtunnel').pipe(
  Command.withDescription('A wind tunnel for LLM serving: simulate, measure and steer serving fleets without a GPU.'),
  Command.withSubcommands(commands),
)

/** What goes wrong with the words typed is said on stderr in a few lines; the whole help is there for the asking. */
const presenter: CliOutput.Presenter = {
  present: (event) => {
    if (event._tag !== 'InvalidInvocation') return CliOutput.defaultPresenter.present(event)
    const name = event.commandPath.join(' ')
    const messages = event.errors.map((error) => `windtunnel: ${error.message.trim()}`)
    return Console.error([...messages, `Usage: ${event.helpDoc.usage}`, `See: ${name} --help`].join('\n'))
  },
}

/** Runs the command line and returns the exit code: 0 done, 1 failed or an assertion does not hold, 2 bad input. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  const program = Command.runWith(windtunnel, { version })(explainInstead(args)).pipe(
    Effect.provideService(CliOutput.Presenter, presenter),
    Effect.provide(NodeServices.layer),
  )
  const exit = await Effect.runPromiseExit(program)
  if (Exit.isSuccess(exit)) return 0
  return explain(Cause.squash(exit.cause))
}

function explain(error: unknown): number {
  if (CliError.isCliError(error)) return error._tag === 'ShowHelp' && error.errors.length === 0 ? 0 : 2
  const fault = CliFault.from(error)
  if (fault.message !== '') process.stderr.write(`windtunnel: ${printable(fault.message)}\n`)
  if (process.env['WINDTUNNEL_DEBUG'] !== undefined && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return fault.exitCode
}

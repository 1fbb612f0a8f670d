import { runCommandLine } from './program.ts'

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of our output has gone, as in `windtunnel list models | head`.
  if (error.code === 'EPIPE') process.exit(0)
  process.stderr.write(`windtunnel: cannot write the output: ${error.message}\n`)
  process.exit(1)
})

process.exitCode = await runCommandLine(process.argv.slice(2))

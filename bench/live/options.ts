/** The number after `--name` on the command line. Prints the usage and ends the process unless it is above 0. */
export function option(name: string, fallback: number, usage: string): number {
  const at = process.argv.indexOf(`--${name}`)
  const value = at < 0 ? fallback : Number(process.argv[at + 1])
  if (value > 0) return value
  process.stderr.write(`${usage}\n`)
  process.exit(2)
}

export const wait = (seconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, seconds * 1000))

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The command with its threads, each under the name by which `new URL('./NAME.js', import.meta.url)` looks for it. A thread
 * is one file of its own: what it shared with others would lie in files that may start it. The command comes last, since
 * its file says how old the whole is.
 */
const COMMAND = [
  { name: 'runWorker', input: 'apps/server/src/run/runWorker.ts', codeSplitting: false },
  { name: 'variantWorker', input: 'apps/cli/src/compare/variantWorker.ts', codeSplitting: false },
  { name: 'main', input: 'apps/cli/src/main.ts', codeSplitting: true },
]

/** The engine alone, as an app that embeds it gets it from its bundler. */
const BENCH = [{ name: 'simulate', input: 'bench/simulate.mjs', codeSplitting: false }]

/** Two folders below the app, as the sources and their compiled files are: from there the dashboard is found. */
export const COMMAND_FOLDER = join(root, 'apps/cli/dist/bundle')
export const BENCH_FOLDER = join(root, 'bench/dist')

const OPTIONS = {
  cwd: root,
  platform: 'node',
  logLevel: 'warn',
  resolve: { conditionNames: ['@windtunnel/source', 'node', 'import', 'default'] },
  // A constant of another module is a memory access at each use, unless it is written in its place.
  optimization: { inlineConst: { mode: 'all', pass: 3 } },
  // As tsconfig.base.json says: a field that is declared first and assigned later is undefined first, and the compiler then
  // checks what it holds at every use.
  transform: { typescript: { removeClassFieldsWithoutInitializer: true }, assumptions: { setPublicClassFields: true } },
} satisfies InputOptions

// Names stay as they are written, for stack traces and profiles. The text of a program stays in memory, where one character
// beyond Latin-1 doubles it.
const OUTPUT = {
  format: 'esm',
  sourcemap: true,
  comments: false,
  charset: 'ascii',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
} satisfies OutputOptions

/** Bundles the command and its threads into `folder`. */
export const bundleCommand = (folder = COMMAND_FOLDER): Promise<void> => bundle(COMMAND, folder)

/** Bundles the engine that the benchmarks run into `folder`. */
export const bundleBench = (folder = BENCH_FOLDER): Promise<void> => bundle(BENCH, folder)

/** What was there stays whole until what is new is: files of verbs first, under names of their content, programs last. */
async function bundle(programs: typeof COMMAND, folder: string): Promise<void> {
  const begun = new Date()
  const outputs = await Promise.all(programs.map(outputOf))
  mkdirSync(folder, { recursive: true })
  const written = new Set<string>()
  for (const file of outputs.flat()) {
    const path = join(folder, file.fileName)
    writeFileSync(`${path}.new`, file.type === 'chunk' ? file.code : file.source)
    // As old as the sources it was made of, not as its writing.
    utimesSync(`${path}.new`, begun, begun)
    renameSync(`${path}.new`, path)
    written.add(file.fileName)
  }
  removeOld(folder, written, begun.getTime() - KEPT_MILLISECONDS)
}

async function outputOf({ name, input, codeSplitting }: (typeof COMMAND)[number]) {
  const build = await rolldown({ ...OPTIONS, input: { [name]: input } })
  const { output } = await build.generate({ ...OUTPUT, codeSplitting })
  await build.close()
  return output
    .toReversed()
    .toSorted((a, b) => Number(a.fileName.startsWith(name)) - Number(b.fileName.startsWith(name)))
}

/** For so long a command that has started may still load files of the bundle before. */
const KEPT_MILLISECONDS = 3_600_000

function removeOld(folder: string, current: ReadonlySet<string>, before: number): void {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!current.has(name) && statSync(path).mtimeMs < before) rmSync(path)
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await Promise.all([bundleCommand(), bundleBench()])

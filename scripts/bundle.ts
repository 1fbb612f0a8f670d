import { mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InputOptions, type OutputOptions, rolldown } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * The command with its threads, each under the name by which `new URL('./NAME.js', import.meta.url)` looks for it. What
 * two of them share, and what a verb loads when it is asked for, lies in files of its own beside them.
 */
const COMMAND = {
  main: 'apps/cli/src/main.ts',
  runWorker: 'apps/server/src/run/runWorker.ts',
  variantWorker: 'apps/cli/src/compare/variantWorker.ts',
}

/** The engine alone, as an app that embeds it gets it from its bundler. */
const BENCH = { simulate: 'bench/simulate.mjs' }

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

/** What was there stays whole until what is new is: shared files first, under names of their content, entries last. */
async function bundle(input: Record<string, string>, folder: string): Promise<void> {
  const begun = new Date()
  const build = await rolldown({ ...OPTIONS, input })
  const { output } = await build.generate(OUTPUT)
  await build.close()
  mkdirSync(folder, { recursive: true })
  const isEntry = (name: string): boolean => name.replace(/\.js(\.map)?$/, '') in input
  const entriesLast = output.toSorted((a, b) => Number(isEntry(a.fileName)) - Number(isEntry(b.fileName)))
  for (const file of entriesLast) {
    const path = join(folder, file.fileName)
    writeFileSync(`${path}.new`, file.type === 'chunk' ? file.code : file.source)
    // As old as the sources it was made of, not as its writing.
    utimesSync(`${path}.new`, begun, begun)
    renameSync(`${path}.new`, path)
  }
  removeOld(folder, new Set(output.map(({ fileName }) => fileName)), begun.getTime() - KEPT_MILLISECONDS)
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

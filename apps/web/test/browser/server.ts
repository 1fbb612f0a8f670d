import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const secondsToStart = 40

export interface StartedServer {
  url: string
  port: number
  stop(): Promise<void>
}

/** Builds the page: as it is shipped, or with React's warnings, which a test then counts as faults. */
export const buildPage = async (kind: 'shipped' | 'warning' = 'shipped'): Promise<void> => {
  const before = process.env['NODE_ENV']
  // A test runner sets it to its own, and then React would warn in any build.
  process.env['NODE_ENV'] = kind === 'shipped' ? 'production' : 'development'
  try {
    await build({ root: fileURLToPath(new URL('../../', import.meta.url)), logLevel: 'error' })
  } finally {
    process.env['NODE_ENV'] = before
  }
}

const addressIn = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let said = ''
    const listen = (piece: Buffer): void => {
      said += piece.toString()
      const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0]
      if (address !== undefined) resolve(address)
    }
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    child.on('exit', (code) => reject(new Error(`The server ended with code ${code} before it was up:\n${said}`)))
    setTimeout(() => reject(new Error(`No server after ${secondsToStart} s; it said:\n${said}`)), secondsToStart * 1000)
  })

/** Starts the real server, from its sources, on a port (0: a free one), with a store of its own. */
export const startServer = async (port = 0, scenario = 'demo-chat'): Promise<StartedServer> => {
  const program = ['--conditions=@windtunnel/source', 'apps/cli/src/main.ts', 'serve', scenario, '--port', String(port)]
  const folder = await mkdtemp(join(tmpdir(), 'windtunnel-'))
  const env = { ...process.env, WINDTUNNEL_STORE: join(folder, 'runs.sqlite') }
  const child = spawn(process.execPath, program, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const url = await addressIn(child)
  return {
    url,
    port: Number(new URL(url).port),
    stop: async () => {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

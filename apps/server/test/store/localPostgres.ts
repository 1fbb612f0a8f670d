import { execFile } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** A PostgreSQL server of its own in a folder of its own. */
export interface LocalPostgres {
  /** An empty database. */
  readonly address: string
  /** Another empty database. */
  fresh(name: string): Promise<string>
  restart(): Promise<void>
  stop(): Promise<void>
}

const VERSIONS = '/usr/lib/postgresql'

/** Where Debian's package put the programs, the latest version. Throws with what to install. */
function programs(): string {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).sort((a, b) => Number(b) - Number(a)) : []
  if (versions[0] === undefined)
    throw new Error('There is no PostgreSQL here: apt-get install postgresql, or leave this suite out.')
  return join(VERSIONS, versions[0], 'bin')
}

/** PostgreSQL does not run as root: then it runs as the user that Debian's package made for it. */
async function asPostgres(): Promise<{ uid?: number; gid?: number }> {
  if (userInfo().uid !== 0) return {}
  const [uid, gid] = await Promise.all(
    ['-u', '-g'].map(async (which) => Number((await run('id', [which, 'postgres'])).stdout.trim())),
  )
  return { uid: uid!, gid: gid! }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

export async function startPostgres(): Promise<LocalPostgres> {
  const bin = programs()
  const user = await asPostgres()
  const folder = await mkdtemp(join(tmpdir(), 'windtunnel-postgres-'))
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid!)
  const port = await freePort()
  const call = (program: string, ...options: string[]) => run(join(bin, program), options, { ...user, cwd: folder })
  const cluster = join(folder, 'cluster')
  const server = `-p ${port} -c listen_addresses=127.0.0.1 -c unix_socket_directories=${folder} -c fsync=off`
  const start = () => call('pg_ctl', 'start', '-w', '-D', cluster, '-l', join(folder, 'log'), '-o', server)
  await call('initdb', '-D', cluster, '-U', 'windtunnel', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C')
  await start()
  const fresh = async (name: string): Promise<string> => {
    await call('createdb', '-h', '127.0.0.1', '-p', String(port), '-U', 'windtunnel', name)
    return `postgres://windtunnel@127.0.0.1:${port}/${name}`
  }
  const halt = () => call('pg_ctl', 'stop', '-w', '-m', 'immediate', '-D', cluster)
  return {
    address: await fresh('runs'),
    fresh,
    restart: async () => {
      await halt()
      await start()
    },
    stop: async () => {
      await halt()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

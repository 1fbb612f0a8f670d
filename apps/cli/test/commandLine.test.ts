import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { commandFolder } from './inFolder.ts'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')

/** The command as a process of its own, in the test's folder. */
function spawned(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--conditions=@windtunnel/source', '--no-warnings', main, ...args],
    { encoding: 'utf8', cwd: folder },
  )
  return { status, stdout, stderr }
}

const scenario = `version: 1
name: two-a-second
model: llama-3.1-8b
cost: roofline
objectives: { default: { ttftSeconds: 1 } }
fleet: [{ hardware: h100 }]
traffic:
  arrivals: { name: constant, requestsPerSecond: 2 }
  structure: { name: single, input: { name: fixed, tokens: 100 }, output: { name: fixed, tokens: 5 } }
run: { maxRequests: 10 }
`

// The same command within this process is faster than `spawned`.
const { folder, write, windtunnel } = commandFolder()
beforeAll(() => write('scenario.yaml', scenario))

describe('windtunnel run', () => {
  it('prints exactly one JSON document, the same for the same seed', async () => {
    const first = spawned('run', 'scenario.yaml', '--json')
    expect(first.stderr).toBe('')
    expect(first.status).toBe(0)
    const summary = JSON.parse(first.stdout)
    expect(summary).toMatchObject({
      version: 1,
      scenario: 'two-a-second',
      seed: 1,
      requests: { arrived: 10, completed: 10, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 0 },
      ttft: { count: 10 },
      itl: { count: 40 },
      cost: { backend: 'roofline', extrapolated: true },
      preemptions: 0,
    })
    const second = JSON.parse((await windtunnel('run', 'scenario.yaml', '--json')).stdout)
    expect(second.factsHash).toBe(summary.factsHash)
    const paced = JSON.parse((await windtunnel('run', 'scenario.yaml', '--json', '--speed', '50')).stdout)
    expect(paced).toMatchObject({ factsHash: summary.factsHash, simulatedSeconds: summary.simulatedSeconds })
  })

  it('lays overrides over the scenario', async () => {
    const { stdout } = await windtunnel(
      'run',
      'scenario.yaml',
      '--json',
      '--seed',
      '7',
      '--duration',
      '2',
      '--set',
      'name=other',
    )
    // Arrivals at 0.5, 1, 1.5 and 2 s, or from 0 on: at most five within two seconds.
    const summary = JSON.parse(stdout)
    expect(summary).toMatchObject({ scenario: 'other', seed: 7, simulatedSeconds: 2 })
    expect(summary.requests.arrived).toBeLessThanOrEqual(5)
  })

  it('lets the exit code tell whether promises hold', async () => {
    expect((await windtunnel('run', 'scenario.yaml', '--assert', 'ttft.p99 < 1')).status).toBe(0)
    const broken = spawned('run', 'scenario.yaml', '--assert', 'ttft.p99 < 0.000001', '--assert', 'goodput > 0')
    expect(broken.status).toBe(1)
    expect(broken.stderr).toMatch(/assertion does not hold: ttft\.p99 < 0\.000001 \(found 0\.0/)
    expect((await windtunnel('run', 'scenario.yaml', '--assert', 'ttft.p98 < 1')).status).toBe(2)
  })

  it('writes its files whole, and overwrites only when told', async () => {
    expect((await windtunnel('run', 'scenario.yaml', '--out', 'results')).status).toBe(0)
    expect(readdirSync(join(folder, 'results')).sort()).toEqual(['requests.csv', 'summary.json'])
    const lines = readFileSync(join(folder, 'results', 'requests.csv'), 'utf8')
      .trimEnd()
      .split('\n')
    expect(lines).toHaveLength(11)
    expect(lines[1]).toMatch(/^0,default,0,0,completed,/)
    const again = await windtunnel('run', 'scenario.yaml', '--out', 'results')
    expect(again.status).toBe(2)
    expect(again.stderr).toMatch(/exists already/)
    expect((await windtunnel('run', 'scenario.yaml', '--out', 'results', '--force')).status).toBe(0)
  })

  it('replays a trace in place of the drawn traffic', async () => {
    writeFileSync(
      join(folder, 'trace.csv'),
      'TIMESTAMP,ContextTokens,GeneratedTokens\r\n2023-11-16 18:17:03.0,10,3\r\n2023-11-16 18:17:04.5,20,4',
    )
    const { stdout, stderr } = await windtunnel('run', 'scenario.yaml', '--trace', 'trace.csv', '--json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ requests: { arrived: 2, completed: 2 }, itl: { count: 5 } })
  })

  it('says so when nobody came', async () => {
    const slow = [
      '--set',
      'traffic.arrivals.name=poisson',
      '--set',
      'traffic.arrivals.requestsPerSecond=1e-9',
      '--duration',
      '3',
    ]
    const none = await windtunnel('run', 'scenario.yaml', ...slow)
    expect(none.stdout + none.stderr).toMatch(/no request arrived within 3 s/)
  })

  it('shows what it found in a binary file without steering the terminal', async () => {
    writeFileSync(join(folder, 'binary.csv'), 'a\u001b[31m\u0007\n')
    const { status, stderr } = await windtunnel('run', 'scenario.yaml', '--trace', 'binary.csv')
    expect(status).toBe(2)
    expect(stderr).toContain('a\\x1b[31m\\x07')
  })

  it('says in one message what is wrong, with exit code 2 and no stack', async () => {
    const missing = await windtunnel('run', 'demo-chta')
    expect(missing).toMatchObject({ status: 2, stdout: '' })
    expect(missing.stderr).toMatch(/no preset demo-chta; did you mean the preset demo-chat\?/)
    const unfit = spawned('run', 'scenario.yaml', '--set', 'model=llama-3.1-70b')
    expect(unfit.status).toBe(2)
    expect(unfit.stderr).toMatch(/llama-3\.1-70b does not fit h100-sxm with tp 1.*smallest layout that would: tp 2/)
    expect(unfit.stderr).not.toMatch(/\n\s+at /)
    expect((await windtunnel('run', 'scenario.yaml', '--trace', 'nowhere.csv')).stderr).toMatch(
      /cannot read .*no such file/,
    )
  })
})

describe('windtunnel', () => {
  it('suggests the verb and the name that were meant', async () => {
    expect((await windtunnel('rnu')).stderr).toMatch(/Did you mean this\?\s+run/)
    expect((await windtunnel('hardware', 'h10')).stderr).toMatch(/h100/)
  })

  it('writes a scenario that runs', async () => {
    expect((await windtunnel('init', 'mine.yaml', '--full')).status).toBe(0)
    expect(existsSync(join(folder, 'mine.yaml'))).toBe(true)
    expect((await windtunnel('init', 'mine.yaml')).stderr).toMatch(/--force/)
    expect((await windtunnel('run', 'mine.yaml', '--duration', '5', '--json')).status).toBe(0)
  })

  it('writes JSON into a .json file', async () => {
    expect((await windtunnel('init', 'mine.json')).status).toBe(0)
    expect(JSON.parse(readFileSync(join(folder, 'mine.json'), 'utf8'))).toMatchObject({ version: 1, seed: 1 })
    expect((await windtunnel('run', 'mine.json', '--duration', '5', '--json')).status).toBe(0)
  })

  it.skipIf(!existsSync('/dev/full'))('says in a line that its output cannot be written (needs /dev/full)', () => {
    const command = `"${process.execPath}" --conditions=@windtunnel/source --no-warnings "${main}" list engines > /dev/full`
    const { status, stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8', cwd: folder })
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringMatching(/^windtunnel: cannot write.*\n$/) })
  })

  it('lists what a scenario may name', async () => {
    const lists = ['hardware', 'models', 'engines', 'schedulers', 'routers', 'arrivals', 'traces', 'presets']
    for (const kind of lists)
      expect(JSON.parse((await windtunnel('list', kind, '--json')).stdout).length).toBeGreaterThan(0)
  }, 60_000)

  it('computes a formula of the book', async () => {
    const { stdout } = await windtunnel('formula', 'R1', 'flops=2e12', 'peakFlopsPerSecond=1e12', '--json')
    expect(JSON.parse(stdout).results).toEqual({ seconds: 2 })
  })

  it('times a collective: 34 MB along a line of 4 chips at 50 GB/s, each receiving 3/4 of them', async () => {
    const { stdout } = await windtunnel(
      'collective',
      'all-gather',
      '--bytes',
      '34e6',
      '--on',
      'tpu-v5e:8x4',
      '--axis',
      'Y',
      '--json',
    )
    expect(JSON.parse(stdout).seconds).toBeCloseTo((34e6 * 0.75) / 45e9, 12)
  })
})

describe('windtunnel collective and serve', () => {
  it('times a collective over GPU nodes: 1 GB twice over 16 nodes, 15/16 of it at 400 GB/s a node', async () => {
    const words = ['collective', 'all-reduce', '--bytes', '1e9', '--on', 'h100:128']
    const { stdout } = await windtunnel(...words, '--json')
    expect(JSON.parse(stdout).seconds).toBeCloseTo((2 * 1e9 * 15) / 16 / 400e9, 12)
    expect((await windtunnel(...words, '--axis', 'X')).stderr).toMatch(/--sharded/)
    expect((await windtunnel(...words)).stdout).toMatch(/16 nodes of 8 h100-sxm/)
  })

  it('names the ports there are', async () => {
    const { status, stderr } = await windtunnel('serve', '--port', '99999')
    expect(status).toBe(2)
    expect(stderr).toMatch(/--port 99999: expected a whole number from 0 .* to 65535/)
  })
})

describe('windtunnel plan', () => {
  it('trains Llama 3 70B on a v5p pod in 44 days, as the book works out at 40 % of the peak', async () => {
    const flags = ['--on', 'tpu-v5p', '--chips', '8960', '--batch', '4e6', '--tokens', '15e12', '--json']
    const { time } = JSON.parse((await windtunnel('plan', 'train', 'llama-3.1-70b', ...flags)).stdout)
    // 6 x 70.6e9 x 15e12 / (8960 x 459e12 x 0.4) s, with the parameters that a token passes through.
    expect(time.runSeconds / 86400).toBeGreaterThan(43)
    expect(time.runSeconds / 86400).toBeLessThan(46)
  })

  it('serves within a limit on the smallest slice that will do', async () => {
    const flags = ['--on', 'tpu-v5e', '--prompt', '8192', '--output', '512', '--under', '15', '--json']
    const plan = JSON.parse((await windtunnel('plan', 'serve', 'llama-2-70b', ...flags)).stdout)
    expect(plan.smallest.shape).toEqual([4, 4])
    expect(plan.smallest.step.seconds).toBeLessThanOrEqual(0.015)
    expect((await windtunnel('plan', 'serve', 'llama-2-70b', '--on', 'tpu-v5e', '--under', '0')).status).toBe(2)
  })
})

describe('a policy of the user', () => {
  it('takes the place of the router that the scenario names', async () => {
    const router =
      "export default { name: 'first', description: 'always the first', start: () => () => 0 } satisfies { name: string }\n"
    writeFileSync(join(folder, 'first.ts'), router)
    const { status } = await windtunnel(
      'run',
      'scenario.yaml',
      '--set',
      'fleet[0].replicas=2',
      '--policy',
      'first.ts',
      '--out',
      'own',
    )
    expect(status).toBe(0)
    const rows = readFileSync(join(folder, 'own', 'requests.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
    expect(new Set(rows.map((row) => row.split(',')[3]))).toEqual(new Set(['0']))
  })

  it('must have the shape of one', async () => {
    writeFileSync(join(folder, 'nothing.ts'), 'export const x = 1\n')
    expect((await windtunnel('run', 'scenario.yaml', '--policy', 'nothing.ts')).stderr).toMatch(
      /exports no policy: expected a router/,
    )
    expect((await windtunnel('run', 'scenario.yaml', '--policy', 'absent.ts')).stderr).toMatch(/no such file/)
  })
})

describe('a live run', () => {
  it('is repeated from its log: the rate changes at the logged time', async () => {
    const log = { seed: 3, commands: [{ seconds: 1, ticks: 0, command: { kind: 'rate', requestsPerSecond: 100 } }] }
    writeFileSync(join(folder, 'log.json'), JSON.stringify(log))
    const flags = ['--set', 'run={"durationSeconds":3}', '--json']
    const plain = JSON.parse((await windtunnel('run', 'scenario.yaml', ...flags)).stdout)
    const again = JSON.parse((await windtunnel('run', 'scenario.yaml', ...flags, '--replay', 'log.json')).stdout)
    // Two a second throughout, and a hundred a second in the last two of the three seconds.
    expect(plain.requests.arrived).toBeLessThanOrEqual(7)
    expect(again.requests.arrived).toBeGreaterThan(190)
    expect(again.seed).toBe(3)
  })

  it('is repeated with the changes of its mix', async () => {
    const command = { kind: 'mix', weights: { traffic: 1 }, promptScale: 3, outputScale: 2 }
    writeFileSync(join(folder, 'mix.json'), JSON.stringify({ seed: 3, commands: [{ seconds: 0, ticks: 0, command }] }))
    const tokens = async (...flags: string[]) => {
      const run = ['run', 'scenario.yaml', '--seed', '3', '--set', 'run={"durationSeconds":30}', '--json', ...flags]
      return JSON.parse((await windtunnel(...run)).stdout).throughput
    }
    const [plain, again] = [await tokens(), await tokens('--replay', 'mix.json')]
    // The first request is on its way before the command; all later ones are longer.
    expect(again.inputTokensPerSecond / plain.inputTokensPerSecond).toBeGreaterThan(2.5)
    expect(again.outputTokensPerSecond / plain.outputTokensPerSecond).toBeGreaterThan(1.6)
  })

  it('needs the log of one', async () => {
    writeFileSync(join(folder, 'bad.json'), '{"seed":1,"commands":[{"seconds":1,"ticks":0,"command":{"kind":"fly"}}]}')
    const { status, stderr } = await windtunnel('run', 'scenario.yaml', '--replay', 'bad.json')
    expect(status).toBe(2)
    expect(stderr).toMatch(/bad\.json is not the log of a live run/)
  })
})

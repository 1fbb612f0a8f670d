import { describe, expect, it } from 'vitest'
import { parse, stringify } from 'yaml'
import { commandFolder } from '../inFolder.ts'

const { write, windtunnel } = commandFolder()

const fleet = { version: 1, model: 'llama-3.1-8b', cost: 'roofline', fleet: [{ hardware: 'h100' }] }

/** Imports, puts the sections into a scenario, runs it for 20 s, and returns the requests by how they ended. */
async function ran(...files: string[]) {
  const { status, stdout, stderr } = await windtunnel('trace', 'import', ...files)
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  write('imported.yaml', stringify({ ...fleet, ...parse(stdout) }))
  const run = await windtunnel('run', 'imported.yaml', '--duration', '20', '--json')
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' })
  return { text: stdout, run: JSON.parse(run.stdout) }
}

describe('windtunnel trace import', () => {
  it('a BLIS workload: two clients of 60 and 40 % of 10 requests a second, in classes of their own', async () => {
    const lengths = { type: 'constant', params: { value: 100 } }
    const client = (id: string, rate: number) => ({
      id,
      tenant_id: id,
      slo_class: id,
      rate_fraction: rate,
      arrival: { process: 'constant' },
      input_distribution: lengths,
      output_distribution: lengths,
    })
    write(
      'blis.yaml',
      stringify({ version: '2', seed: 3, aggregate_rate: 10, clients: [client('chat', 0.6), client('batch', 0.4)] }),
    )
    const { text, run } = await ran('blis.yaml')
    expect(text).toMatch(/^# tenants by number: chat, batch/)
    expect(run.seed).toBe(3)
    // Six and four a second for 20 s, one more or less at either end.
    const arrived = run.details.classes.map((one: { arrived: number }) => one.arrived)
    expect(Math.abs(arrived[0] - 120)).toBeLessThanOrEqual(1)
    expect(Math.abs(arrived[1] - 80)).toBeLessThanOrEqual(1)
  })

  it('an inference-lab workload in TOML: 4 users who never rest', async () => {
    const lengths = (name: string) => `[${name}]\ntype = "lognormal"\nmean = 4.0 # of the logarithm\nstd_dev = 0.1\n`
    write(
      'lab.toml',
      `# four users\narrival_pattern = "closed_loop"\nnum_concurrent_users = 4\nnum_requests = 50\nseed = 7\n\n${lengths('input_len_dist')}\n${lengths('output_len_dist')}`,
    )
    expect((await ran('lab.toml')).run.requests).toMatchObject({ arrived: 50, completed: 50 })
    write('bad.toml', 'arrival_pattern = "poisson"\nrates = [1, 2]\n')
    const { status, stderr } = await windtunnel('trace', 'import', 'bad.toml')
    expect(status).toBe(2)
    expect(stderr).toMatch(/bad\.toml, line 2: expected .*found rates = \[1, 2\]/)
  })

  it('a client of ServeGen from its two files, in either order', async () => {
    write('chunk-0-trace.csv', '0,2,1,Gamma,1,0.5\r\n600,0,0,,0,0\r\n')
    write(
      'chunk-0-dataset.json',
      JSON.stringify({ 0: { input_tokens: '{100: 1.0}', output_tokens: '{5: 0.5, 7.0: 0.5}' } }),
    )
    const { run } = await ran('chunk-0-trace.csv', 'chunk-0-dataset.json')
    // Poisson of 2 a second for 20 s: 40, give or take four deviations.
    expect(Math.abs(run.requests.arrived - 40)).toBeLessThan(26)
    expect((await ran('chunk-0-dataset.json', 'chunk-0-trace.csv')).run.factsHash).toBe(run.factsHash)
  })

  it('says what is wrong with a description', async () => {
    const fault = async (text: string) => {
      write('wrong.yaml', text)
      const { status, stderr } = await windtunnel('trace', 'import', 'wrong.yaml')
      expect(status).toBe(2)
      return stderr
    }
    expect(await fault('x: 1')).toMatch(/wrong\.yaml: workload: expected a description of blis/)
    expect(await fault('{')).toMatch(/wrong\.yaml is neither YAML nor JSON/)
    expect(await fault('aggregate_rate: 3\nclients: [{ rate_fraction: x }]')).toMatch(/rate_fraction/)
    expect((await windtunnel('trace', 'import', 'absent.yaml')).stderr).toMatch(/no such file/)
  })
})

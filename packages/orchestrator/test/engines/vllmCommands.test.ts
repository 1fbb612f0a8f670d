import { RandomStream, timeFromSeconds } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import { createSimulation } from '../../src/index.ts'
import { randomScenario } from '../reference/randomScenario.ts'
import { pick } from '../reference/randomTraffic.ts'
import { Recorder } from '../reference/recorder.ts'

/** Some scenario whose replicas come, drain and die, and whose queues are reordered. */
function shaken(seed: number) {
  const random = new RandomStream(seed, 'commands')
  const scenario = randomScenario(seed)
  const outages = scenario.pools.every((pool) => pool.role === 'both')
    ? [0, 1, 2].map(() => ({ replica: 0, atSeconds: random.uniform(), downSeconds: random.uniform() * 0.3 }))
    : []
  const config = { ...scenario, retries: seed % 3, outages }
  const recorder = new Recorder()
  const simulation = createSimulation(config)
  simulation.observe(recorder)
  let at = 0
  for (let i = 0; i < 6; i++) {
    at += random.uniform() * 0.2
    simulation.runUntil(timeFromSeconds(at), 100_000)
    const up = simulation.view().replicas.filter((one) => one.state === 'up')
    const chance = random.uniform()
    if (chance < 0.4) simulation.apply({ kind: 'addReplica', pool: pick(random, config.pools).name })
    else if (chance < 0.5) simulation.apply({ kind: 'scheduler', name: pick(random, ['priority', 'fcfs']) })
    else if (up.length > 0) {
      const { replica } = pick(random, up)
      simulation.apply({ kind: chance < 0.6 ? 'removeReplica' : 'killReplica', replica })
    }
  }
  simulation.runUntil(timeFromSeconds(1000), 400_000)
  return { simulation, recorder }
}

describe('a fleet of vLLM replicas under commands and faults', () => {
  it('ends every request exactly once and frees every block of what is left', () => {
    for (let seed = 1; seed <= 600; seed++) {
      const { simulation, recorder } = shaken(seed)
      expect(simulation.stuck?.(), `scenario ${seed}`).toBeUndefined()
      const of = (what: string): string[] =>
        recorder.facts.filter((fact) => fact.startsWith(`${what} `)).map((fact) => fact.split(' ')[1]!)
      expect(of('ended').sort(), `scenario ${seed}`).toEqual(of('arrived').sort())
      for (const replica of simulation.view().replicas) {
        if (replica.state === 'down') continue
        expect(
          [replica.usedBlocks, replica.running, replica.waiting, replica.transferring],
          `scenario ${seed}`,
        ).toEqual([0, 0, 0, 0])
      }
    }
  })

  it('gives a replica that is added later the scheduler that a command has set', () => {
    const seen: string[] = []
    const config = randomScenario(1)
    const pools = config.pools.map((pool) => ({
      ...pool,
      createEngine: (context: Parameters<typeof pool.createEngine>[0]) => {
        seen.push(context.scheduler.name)
        return pool.createEngine(context)
      },
    }))
    const simulation = createSimulation({ ...config, pools })
    simulation.apply({ kind: 'scheduler', name: 'shortest-first' })
    simulation.apply({ kind: 'addReplica', pool: pools[0]!.name })
    expect(seen.at(-1)).toBe('shortest-first')
  })
})

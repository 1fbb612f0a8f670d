import type { Problem } from '../document/problem.ts'
import { engineBindings } from '../engines/index.ts'
import { suggestion } from '../names/near.ts'
import type { Scenario } from './scenario.ts'
import { streamNames } from './streamNames.ts'

/** What fits the schema option by option and yet cannot run. */
export const contradictions = (scenario: Scenario): Problem[] => [
  ...fleetProblems(scenario),
  ...transferProblems(scenario),
  ...outageProblems(scenario),
  ...stragglerProblems(scenario),
  ...trafficProblems(scenario),
  ...streamProblems(scenario),
  ...classProblems(scenario),
  ...endProblems(scenario),
  ...windowProblems(scenario),
]

function fleetProblems({ fleet }: Scenario): Problem[] {
  const problems: Problem[] = []
  const seen = new Set<string>()
  for (const [at, pool] of fleet.entries()) {
    if (seen.has(pool.name))
      problems.push({
        path: ['fleet', at, 'name'],
        message: `there is another pool ${pool.name}; give each its own name`,
      })
    seen.add(pool.name)
    if (pool.role !== 'both' && engineBindings[pool.engine.name].wholeRequests)
      problems.push({
        path: ['fleet', at, 'role'],
        message: `the engine ${pool.engine.name} runs whole requests; give the pool the role both, or take another engine`,
      })
  }
  const roles = new Set(fleet.map((pool) => pool.role))
  if (roles.has('both') && roles.size > 1)
    problems.push({
      path: ['fleet'],
      message: 'pools of role both stand beside prefill or generate pools; make all of them both, or none',
    })
  else if (roles.has('prefill') !== roles.has('generate')) {
    const missing = roles.has('prefill') ? 'generate' : 'prefill'
    problems.push({
      path: ['fleet'],
      message: `a disaggregated fleet needs both sides; add a pool with role: ${missing}`,
    })
  }
  return problems
}

function transferProblems({ fleet, transfer }: Scenario): Problem[] {
  const problems: Problem[] = []
  if (transfer.overlap === 'layers' && transfer.sharing === 'serial')
    problems.push({
      path: ['transfer', 'overlap'],
      message: 'layers need links that are shared; set sharing: fair, or overlap: whole',
    })
  if (transfer.overlap === 'whole' && transfer.firstToken === 'prefill') return problems
  for (const [at, pool] of fleet.entries())
    if (pool.role !== 'both' && !engineBindings[pool.engine.name].streamsPrefill)
      problems.push({
        path: ['fleet', at, 'engine'],
        message: `the engine ${pool.engine.name} sends whole caches after the first token only; set transfer: { overlap: whole, firstToken: prefill }, or take the engine vllm`,
      })
  return problems
}

function outageProblems({ fleet, outages = [] }: Scenario): Problem[] {
  const replicas = fleet.reduce((sum, pool) => sum + pool.replicas, 0)
  return outages.flatMap(({ replica }, at) => {
    if (replica >= replicas)
      return [
        { path: ['outages', at, 'replica'], message: `the fleet has replicas 0 to ${replicas - 1}; found ${replica}` },
      ]
    if (fleet.every((pool) => pool.role === 'both')) return []
    return [{ path: ['outages', at], message: 'outages need a fleet whose pools are all of role both' }]
  })
}

function stragglerProblems({ fleet, stragglers = [] }: Scenario): Problem[] {
  const replicas = fleet.reduce((sum, pool) => sum + pool.replicas, 0)
  return stragglers.flatMap(({ replica, fromSeconds, untilSeconds }, at) => {
    const path = (name: string) => ['stragglers', at, name]
    if (replica >= replicas)
      return [{ path: path('replica'), message: `the fleet has replicas 0 to ${replicas - 1}; found ${replica}` }]
    if (untilSeconds > fromSeconds) return []
    return [
      { path: path('untilSeconds'), message: `it must be after fromSeconds ${fromSeconds}; found ${untilSeconds}` },
    ]
  })
}

function trafficProblems({ traffic }: Scenario): Problem[] {
  const path = ['traffic']
  const ways = [
    ...(traffic.arrivals !== undefined || traffic.structure !== undefined ? ['arrivals and structure'] : []),
    ...(traffic.streams !== undefined ? ['streams'] : []),
    ...(traffic.trace !== undefined ? ['trace'] : []),
  ]
  if (ways.length === 0)
    return [
      { path, message: 'there is no traffic; add arrivals and structure, or trace: { file: ... } (or --trace FILE)' },
    ]
  if (ways.length > 1)
    return [{ path, message: `there is more than one kind of traffic (${ways.join(', ')}); keep one` }]
  if (traffic.arrivals !== undefined && traffic.structure === undefined)
    return [{ path, message: 'arrivals need a structure; add structure: { name: single, input: ..., output: ... }' }]
  if (traffic.structure !== undefined && traffic.arrivals === undefined)
    return [{ path, message: 'a structure needs arrivals; add arrivals: { name: poisson, requestsPerSecond: ... }' }]
  return []
}

function streamProblems({ traffic }: Scenario): Problem[] {
  const names = streamNames(traffic.streams ?? [])
  return names.flatMap((name, at) =>
    names.indexOf(name) < at
      ? [
          {
            path: ['traffic', 'streams', at, 'name'],
            message: `there is another stream ${name}; give each its own name`,
          },
        ]
      : [],
  )
}

function classProblems({ traffic, objectives }: Scenario): Problem[] {
  const classes = Object.keys(objectives ?? {})
  const used = [
    ...(traffic.streams ?? []).map((stream, at) => ({ name: stream.serviceClass, path: ['streams', at] })),
    { name: traffic.trace?.serviceClass, path: ['trace'] },
  ]
  return used.flatMap(({ name, path }) =>
    name === undefined || classes.includes(name)
      ? []
      : [
          {
            path: ['traffic', ...path, 'serviceClass'],
            message: `objectives has no class ${name}; ${suggestion(name, classes)}`,
          },
        ],
  )
}

/** Arrival processes that stop by themselves. */
const finite: ReadonlySet<string> = new Set(['allAtOnce'])

function endProblems({ run, traffic }: Scenario): Problem[] {
  if (run.durationSeconds !== undefined || run.maxRequests !== undefined) return []
  const processes = [traffic.arrivals, ...(traffic.streams ?? []).map((stream) => stream.arrivals)]
  if (processes.every((process) => process === undefined || finite.has(process.name))) return []
  return [
    { path: ['run'], message: 'the traffic has no end; add durationSeconds or maxRequests (or --duration SECONDS)' },
  ]
}

function windowProblems({ run }: Scenario): Problem[] {
  const { durationSeconds, warmUpSeconds = 0, coolDownSeconds = 0 } = run
  if (durationSeconds === undefined) {
    if (coolDownSeconds === 0) return []
    return [
      {
        path: ['run', 'coolDownSeconds'],
        message: 'is counted back from the end of the run: add durationSeconds (or --duration SECONDS)',
      },
    ]
  }
  if (warmUpSeconds + coolDownSeconds < durationSeconds) return []
  return [
    {
      path: ['run'],
      message: `warm-up and cool-down of ${warmUpSeconds} and ${coolDownSeconds} s leave nothing of ${durationSeconds} s to measure`,
    },
  ]
}

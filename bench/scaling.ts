import { base, fixed, one, single } from './cases/benchCase.ts'
import { simulate } from './simulate.ts'

/** How the cost of a run grows with one thing at a time: requests, batch, output length, replicas. */
const closedLoop = (users: number, outputTokens: number, maxRequests: number): Record<string, unknown> => ({
  ...base('scaling'),
  fleet: [{ name: 'default', hardware: 'h100-sxm', engine: { name: 'vllm', kvBlocks: 1_000_000 } }],
  traffic: { arrivals: { name: 'closedLoop', users }, structure: single(128, fixed(outputTokens)) },
  run: { maxRequests },
})

const poisson = (replicas: number, maxRequests: number): Record<string, unknown> => ({
  ...base('scaling'),
  fleet: one.map((pool) => ({ ...pool, replicas })),
  router: 'least-loaded',
  traffic: {
    arrivals: { name: 'poisson', requestsPerSecond: 20 * replicas },
    structure: single(512, fixed(128)),
  },
  run: { maxRequests },
})

const curves: readonly { title: string; points: readonly [string, Record<string, unknown>][] }[] = [
  {
    title: 'requests (512 in, 128 out, 20 req/s, one replica)',
    points: [10_000, 100_000, 1_000_000].map((requests) => [`${requests} requests`, poisson(1, requests)]),
  },
  {
    title: 'batch (closed loop, 128 in, 1,000 out)',
    points: [4, 16, 64, 256, 1000].map((users) => [`batch ${users}`, closedLoop(users, 1000, 50_000)]),
  },
  {
    title: 'output length (closed loop of 64, 128 in)',
    points: [50, 200, 800, 3200, 12_800].map((tokens) => [`${tokens} out`, closedLoop(64, tokens, 50_000)]),
  },
  {
    title: 'replicas (20 req/s each, least-loaded)',
    points: [1, 10, 100, 1000].map((replicas) => [`${replicas} replicas`, poisson(replicas, 200_000)]),
  },
]

for (const { title, points } of curves) {
  process.stdout.write(`\n${title}\n`)
  for (const [name, scenario] of points) {
    const { requests, outputTokens, simulatorSeconds, peakRssMiB } = simulate(scenario, name)
    const perRequest = ((simulatorSeconds / requests) * 1e9).toFixed(0)
    const perToken = ((simulatorSeconds / outputTokens) * 1e9).toFixed(3)
    process.stdout.write(
      `${name.padEnd(18)} ${perRequest.padStart(8)} ns/request ${perToken.padStart(9)} ns/token ${peakRssMiB.toFixed(0).padStart(5)} MiB\n`,
    )
  }
}

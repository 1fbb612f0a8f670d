import { type BenchCase, base, fixed, one, single } from './benchCase.ts'

const poisson = (name: string, requestsPerSecond: number, maxRequests: number): Record<string, unknown> => ({
  ...base(name),
  fleet: one,
  traffic: { arrivals: { name: 'poisson', requestsPerSecond }, structure: single(512, fixed(128)) },
  run: { maxRequests },
})

/** Length quantiles of the public Azure conversation trace of 2023, and its rate and interarrival variation. */
const azure = {
  requestsPerSecond: 5.53,
  cv: 1.09,
  input: [
    [0, 3],
    [0.1, 151],
    [0.25, 459],
    [0.5, 1020],
    [0.75, 1469],
    [0.9, 2735],
    [0.99, 4142],
    [1, 14050],
  ],
  output: [
    [0, 7],
    [0.1, 26],
    [0.25, 82],
    [0.5, 129],
    [0.75, 395],
    [0.9, 453],
    [0.99, 601],
    [1, 1000],
  ],
}

const quantiles = (points: readonly (readonly number[])[]): Record<string, unknown> => ({
  name: 'quantiles',
  points: points.map(([quantile, tokens]) => ({ quantile, tokens })),
})

export const cases: readonly BenchCase[] = [
  {
    name: 'poisson-8b',
    description: '512 in, 128 out, Poisson at 20 req/s, one replica, 1,000,000 requests',
    unit: 'requests/s',
    scenario: poisson('poisson-8b', 20, 1_000_000),
  },
  {
    name: 'overload-8b',
    description: 'the same at 100 req/s',
    unit: 'requests/s',
    scenario: poisson('overload-8b', 100, 1_000_000),
  },
  {
    name: 'long-decode',
    description: 'closed loop of 160 users, 128 in, 1,000 to 3,000 out, 1,000,000 requests',
    unit: 'tokens/s',
    scenario: {
      ...base('long-decode'),
      fleet: one,
      traffic: {
        arrivals: { name: 'closedLoop', users: 160 },
        structure: single(128, { name: 'uniform', minimum: 1000, maximum: 3000 }),
      },
      run: { maxRequests: 1_000_000 },
    },
  },
  {
    name: 'prefix-heavy',
    description: '50,000 sessions of 20 turns with growing context, 64 live at a time, prefix cache',
    unit: 'requests/s',
    scenario: {
      ...base('prefix-heavy'),
      fleet: one,
      traffic: {
        arrivals: { name: 'closedLoop', users: 64 },
        structure: {
          name: 'sessions',
          turns: fixed(20),
          input: fixed(100),
          output: fixed(100),
          systemTokens: 500,
          thinkSeconds: 1,
        },
      },
      run: { maxRequests: 1_000_000 },
    },
  },
  {
    name: 'disaggregated',
    description: '4 prefill and 8 generate replicas, 512 in, 128 out, Poisson at 160 req/s',
    unit: 'requests/s',
    scenario: {
      ...base('disaggregated'),
      fleet: [
        { name: 'prefill', role: 'prefill', hardware: 'h100-sxm', replicas: 4 },
        { name: 'generate', role: 'generate', hardware: 'h100-sxm', replicas: 8 },
      ],
      router: 'least-loaded',
      traffic: { arrivals: { name: 'poisson', requestsPerSecond: 160 }, structure: single(512, fixed(128)) },
      run: { maxRequests: 1_000_000 },
    },
  },
  {
    name: 'fleet-1000',
    description: '1,000 replicas, KV-aware router, shared prefixes, 1,000,000 requests',
    unit: 'requests/s',
    scenario: {
      ...base('fleet-1000'),
      fleet: [{ name: 'default', hardware: 'h100-sxm', replicas: 1000 }],
      router: 'kv-aware',
      traffic: {
        arrivals: { name: 'poisson', requestsPerSecond: 20_000 },
        structure: {
          name: 'sharedPrefix',
          groups: 5000,
          prefix: fixed(512),
          input: fixed(128),
          output: fixed(128),
        },
      },
      run: { maxRequests: 1_000_000 },
    },
  },
  {
    name: 'azure-day',
    description: 'the Azure conversation shape for 24 hours at 10 times its rate over 40 replicas',
    unit: 's',
    scenario: {
      ...base('azure-day'),
      fleet: [{ name: 'default', hardware: 'h100-sxm', replicas: 40 }],
      router: 'least-loaded',
      traffic: {
        arrivals: { name: 'gamma', requestsPerSecond: azure.requestsPerSecond * 10, cv: azure.cv },
        structure: { name: 'single', input: quantiles(azure.input), output: quantiles(azure.output) },
      },
      run: { durationSeconds: 86_400 },
    },
  },
  {
    name: 'naive',
    description: 'the naive reference engine on poisson-8b with 3,000 requests',
    unit: 'requests/s',
    scenario: poisson('naive', 20, 3_000),
    naive: true,
  },
]

import { base, fixed, one, single } from './benchCase.ts'

/** A scenario that the fast engines and the naive references play, to be compared. */
export interface LargeCase {
  readonly name: string
  readonly scenario: Readonly<Record<string, unknown>>
}

const poisson = (requestsPerSecond: number): object => ({ name: 'poisson', requestsPerSecond })
const uniform = (minimum: number, maximum: number): object => ({ name: 'uniform', minimum, maximum })
const pool = (engine: object, replicas = 1): object[] => [{ ...one[0], replicas, engine }]

const chat = {
  name: 'sessions',
  turns: fixed(8),
  input: uniform(20, 400),
  output: uniform(20, 300),
  systemTokens: 700,
  thinkSeconds: 2,
}
const shared = {
  name: 'sharedPrefix',
  groups: 40,
  prefix: fixed(512),
  input: uniform(16, 256),
  output: uniform(16, 256),
}

const large = (name: string, maxRequests: number, parts: object): LargeCase => ({
  name,
  scenario: { ...base(name), fleet: one, ...parts, run: { maxRequests } },
})

/** Ten of them: load, overload, lack of memory, prefixes, tiers, swap, fleets, transfers, and SGLang. */
export const largeCases: readonly LargeCase[] = [
  large('steady', 20_000, { traffic: { arrivals: poisson(20), structure: single(512, fixed(128)) } }),
  large('overload', 12_000, { traffic: { arrivals: poisson(100), structure: single(512, uniform(16, 256)) } }),
  large('long-decode', 2_000, {
    traffic: { arrivals: { name: 'closedLoop', users: 160 }, structure: single(128, uniform(1000, 3000)) },
  }),
  large('little-memory', 30_000, {
    fleet: pool({ name: 'vllm', kvBlocks: 1500 }),
    traffic: { arrivals: poisson(15), structure: single(400, uniform(50, 900)) },
  }),
  large('swap', 30_000, {
    fleet: pool({ name: 'vllm', kvBlocks: 1500, preemption: 'swap' }),
    traffic: { arrivals: poisson(15), structure: single(400, uniform(50, 900)) },
  }),
  large('sessions', 30_000, {
    fleet: pool({ name: 'vllm', kvBlocks: 3000 }),
    traffic: { arrivals: { name: 'closedLoop', users: 48 }, structure: chat },
  }),
  large('long-prompts', 4_000, {
    fleet: pool({ name: 'vllm', maxBatchedTokens: 2048, longPrefillThreshold: 512 }),
    traffic: {
      arrivals: poisson(4),
      structure: { name: 'single', input: uniform(10, 16_000), output: uniform(1, 200) },
    },
  }),
  large('kv-aware-fleet', 40_000, {
    fleet: pool({ name: 'vllm', kvBlocks: 2500 }, 8),
    router: 'kv-aware',
    traffic: { arrivals: poisson(120), structure: shared },
  }),
  large('disaggregated', 10_000, {
    fleet: [
      { name: 'prefill', role: 'prefill', hardware: 'h100-sxm', replicas: 2 },
      { name: 'generate', role: 'generate', hardware: 'h100-sxm', replicas: 4 },
    ],
    router: 'least-loaded',
    traffic: { arrivals: poisson(70), structure: single(512, uniform(16, 256)) },
  }),
  large('sglang', 800, {
    fleet: pool({ name: 'sglang', policy: 'lpm', kvBlocks: 8000 }, 2),
    traffic: { arrivals: poisson(40), structure: shared },
  }),
]

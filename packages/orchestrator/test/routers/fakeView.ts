import { RandomStream } from '@windtunnel/des'
import { type Choose, type RoutedRequest, type RouterValues, type RouterView, routers } from '../../src/index.ts'

export const router = (name: string, values: RouterValues = {}, seed = 1): Choose =>
  routers.get(name)!.start(new RandomStream(seed, 'router'), values)

export const request = (fields: Partial<RoutedRequest> = {}): RoutedRequest => ({
  inputTokens: 1000,
  session: 0,
  tenant: 0,
  serviceClass: 0,
  prompt: 0,
  ...fields,
})

export interface Fake {
  /** Outstanding requests of each candidate. */
  loads: readonly number[]
  /** Replica of each candidate; its own number when absent. */
  replicas?: readonly number[]
  tokens?: readonly number[]
  cached?: readonly number[]
  nowSeconds?: number
  version?: number
  prefixNode?: number
  trace?: RouterView['trace']
}

/** A view without a fleet. */
export const viewOf = (fake: Fake): RouterView => ({
  count: fake.loads.length,
  nowSeconds: fake.nowSeconds ?? 0,
  version: fake.version ?? 0,
  replicaAt: (candidate) => fake.replicas?.[candidate] ?? candidate,
  outstandingRequests: (candidate) => fake.loads[candidate]!,
  outstandingTokens: (candidate) => fake.tokens?.[candidate] ?? 0,
  waitingRequests: () => 0,
  kvUse: () => 0,
  cachedTokens: (candidate) => fake.cached?.[candidate] ?? 0,
  prefixNode: () => fake.prefixNode ?? 0,
  trace: fake.trace,
})

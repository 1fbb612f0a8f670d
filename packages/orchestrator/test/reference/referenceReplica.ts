import type { PromptTree } from '@windtunnel/workload'
import type { Observer, PoolConfig } from '../../src/index.ts'
import type { ReferenceRequest } from './referenceRequest.ts'

/** The engine of one replica, written without any shortcut. */
export interface ReferenceEngine<Request extends ReferenceRequest> {
  readonly waitingRequests: number
  /** When its step in flight ends, and when the next composition is due. */
  readonly endsAt: bigint | undefined
  readonly composeAt: bigint | undefined
  end(now: bigint): void
  compose(now: bigint): void
  refuses(request: Request): boolean
  enqueue(request: Request, now: bigint): void
  abandon(request: Request, now: bigint): void
  reserveIncoming(request: Request): boolean
  cancelIncoming(request: Request, now: bigint): void
  insert(request: Request, now: bigint): void
  releaseTransferred(request: Request, now: bigint): void
  /** Share of the KV memory in use. */
  kvUse(): number
  /** Leading tokens of the prompt that others may see here. */
  cachedTokens(request: Request, now: bigint): number
  /** Throws when the memory does not add up. */
  check(): void
}

/** What an engine is told of its surroundings, and whom it tells. */
export interface ReferenceSurroundings<Request extends ReferenceRequest, Pool extends PoolConfig> {
  readonly replica: number
  readonly pool: Pool
  readonly tree: PromptTree
  readonly observer: Observer
  readonly firstToken: 'prefill' | 'generate'
  /** Delay until others see what became visible, in ticks. */
  readonly cacheDelay: bigint
  /** Every request that ever arrived. */
  readonly requests: readonly Request[]
  finished(request: Request): void
  failed(request: Request): void
  prefilled(request: Request): void
  preempted(request: Request): void
  computing(request: Request, tokens: number): void
}

/** How requests and engines of one kind are made. */
export interface ReferenceKind<Request extends ReferenceRequest, Pool extends PoolConfig> {
  request(...of: ConstructorParameters<typeof ReferenceRequest>): Request
  engine(around: ReferenceSurroundings<Request, Pool>): ReferenceEngine<Request>
}

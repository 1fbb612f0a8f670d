import type { Observer } from '../../src/index.ts'
import type { TestConfig } from './randomScenario.ts'
import type { SglangTestConfig } from './randomSglang.ts'
import { ReferenceFleet } from './referenceFleet.ts'
import { ReferenceSglang } from './referenceSglang.ts'
import { ReferenceSglangRequest } from './referenceSglangRequest.ts'
import { ReferenceVllm } from './referenceVllm.ts'
import { ReferenceVllmRequest } from './referenceVllmRequest.ts'

/** Naive vLLM replicas. `loads` counts the blocks that came back from the host's tier of the prefix cache. */
export function referenceVllmFleet(config: TestConfig, observer: Observer, inOrder = false) {
  const engines: ReferenceVllm[] = []
  const fleet = new ReferenceFleet(config, observer, {
    request: (id, draft) => new ReferenceVllmRequest(id, draft),
    engine: (around) => {
      const engine = new ReferenceVllm(around, inOrder)
      engines.push(engine)
      return engine
    },
  })
  return { fleet, loads: (): number => engines.reduce((sum, { kv }) => sum + kv.loaded, 0) }
}

/** Naive SGLang replicas. */
export const referenceSglangFleet = (config: SglangTestConfig, observer: Observer) =>
  new ReferenceFleet(config, observer, {
    request: (id, draft) => new ReferenceSglangRequest(id, draft),
    engine: (around) => new ReferenceSglang(around),
  })

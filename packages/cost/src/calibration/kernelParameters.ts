import type { StepDtype } from '../step/dtypes.ts'
import type { CollectiveParameters } from './kernels/allReduce.ts'
import type { DecodeAttentionParameters } from './kernels/decodeAttention.ts'
import type { ElementwiseParameters } from './kernels/elementwise.ts'
import type { ExpertParameters } from './kernels/experts.ts'
import type { GemmParameters } from './kernels/gemm.ts'
import type { LatentAttentionParameters } from './kernels/latentAttention.ts'
import type { Peaks } from './kernels/peaks.ts'
import type { PrefillAttentionParameters } from './kernels/prefillAttention.ts'

type ByDtype<Parameters> = Readonly<Partial<Record<StepDtype, Parameters>>>

/** One measured table of all-reduces: of one software version, one row per number of ranks. */
export interface AllReduceTable {
  /** Kernel, and the version of the software that it was measured in. */
  software: string
  version: string
  byRanks: readonly CollectiveParameters[]
}

/** What kernels lose inside a server against the same kernels measured alone. 1 where nothing is known. */
export interface ServingFactors {
  /** FLOP-bound matrix multiplications: sustained load meets the power limit. */
  matmulCompute: number
  /** Bandwidth-bound ones: weights come from memory every time, never from a cache that the last run warmed. */
  matmulMemory: number
  /** KV reads of two or more sequences: real contexts are uneven, and the longest keeps its part of the chip busy last. */
  unevenContexts: number
}

/** Everything fitted for one accelerator. Efficiencies refer to `peaks`; KV formats key the attention kernels. */
export interface KernelParameters {
  /** Registry name of the accelerator. */
  accelerator: string
  /** Which measurements these figures were fitted to. */
  source: string
  peaks: Peaks
  gemm: ByDtype<GemmParameters>
  decodeAttention: ByDtype<DecodeAttentionParameters>
  prefillAttention: ByDtype<PrefillAttentionParameters>
  latentDecode: ByDtype<LatentAttentionParameters>
  latentPrefill: ByDtype<LatentAttentionParameters>
  /** At most FEW_EXPERTS experts in a layer, and more. */
  fewExperts: ByDtype<ExpertParameters>
  manyExperts: ByDtype<ExpertParameters>
  /** Payloads up to 8 MB under CUDA graphs, versions ascending. */
  smallAllReduce: readonly AllReduceTable[]
  /** Larger payloads. */
  largeAllReduce: readonly AllReduceTable[]
  elementwise: ElementwiseParameters
  serving: ServingFactors
}

import { requireCount } from '../costInputError.ts'

/** A decoder whose layers are all alike, as its configuration gives it. */
export interface UniformModel {
  readonly layers: number
  readonly hidden: number
  readonly queryHeads: number
  readonly kvHeads: number
  readonly headDim: number
  /** Width of a gated dense feed-forward; undefined with experts. */
  readonly ffn?: number | undefined
  readonly experts?: number | undefined
  readonly topK?: number | undefined
  /** Width of one gated expert. */
  readonly expertFfn?: number | undefined
  readonly vocab: number
  /** Bytes of one weight. */
  readonly weightBytes: number
  /** Norms on queries and keys, one vector of the head size each. */
  readonly qkNorm: boolean
  /** The output head is the embedding. */
  readonly tiedEmbeddings: boolean
}

/** Bytes of a model's tensors, of all layers together unless said otherwise. */
export interface TensorBytes {
  /** Query and output projections. */
  readonly queryAndOutput: number
  /** Key and value projections, which replicate with their KV head. */
  readonly keyAndValue: number
  /** Dense feed-forward matrices; 0 with experts. */
  readonly feedForward: number
  /** All routed experts; 0 without. */
  readonly experts: number
  /** One expert of one layer; 0 without. */
  readonly oneExpert: number
  readonly routers: number
  readonly norms: number
  readonly embedding: number
  /** Output head; 0 where it is the embedding. */
  readonly outputHead: number
  readonly total: number
}

/** Bytes of every group of tensors: matrices, norms and routers each by the size of their weights. */
export function tensorBytes(model: UniformModel): TensorBytes {
  const { layers, hidden, queryHeads, kvHeads, headDim, vocab, weightBytes, topK } = model
  requireCount('tensorBytes', { layers, hidden, queryHeads, kvHeads, headDim, vocab })
  const { ffn = 0, experts = 0, expertFfn = 0 } = model
  if (topK !== undefined && experts > 0) requireCount('tensorBytes', { experts, topK, expertFfn })
  const oneExpert = experts > 0 ? 3 * hidden * expertFfn * weightBytes : 0
  const table = vocab * hidden * weightBytes
  const normsOfLayer = 2 * hidden + (model.qkNorm ? 2 * headDim : 0)
  const parts = {
    queryAndOutput: layers * 2 * hidden * queryHeads * headDim * weightBytes,
    keyAndValue: layers * 2 * hidden * kvHeads * headDim * weightBytes,
    feedForward: layers * 3 * hidden * ffn * weightBytes,
    experts: layers * experts * oneExpert,
    routers: layers * hidden * experts * weightBytes,
    norms: (layers * normsOfLayer + hidden) * weightBytes,
    embedding: table,
    outputHead: model.tiedEmbeddings ? 0 : table,
  }
  const total = Object.values(parts).reduce((sum, part) => sum + part, 0)
  return { ...parts, oneExpert, total }
}

/** Bytes that one decoded token reads of the weights: everything but the embedding table and the experts not chosen. */
export function readByOneToken(model: UniformModel, bytes: TensorBytes): number {
  const head = model.tiedEmbeddings ? bytes.embedding : bytes.outputHead
  const chosen = model.layers * (model.topK ?? 0) * bytes.oneExpert
  return bytes.queryAndOutput + bytes.keyAndValue + bytes.feedForward + chosen + bytes.routers + bytes.norms + head
}

/** KV bytes of one token over all layers: `2 L kv d b`. */
export const keyValueBytesPerToken = (
  model: Pick<UniformModel, 'layers' | 'kvHeads' | 'headDim'>,
  bytesPerElement: number,
): number => 2 * model.layers * model.kvHeads * model.headDim * bytesPerElement

import { type Document, textAt } from './fields.ts'

/** Models whose published 8-bit checkpoints are scaled in blocks. */
const BLOCK_SCALED = /deepseek|minimax|qwen3|glm|kimi/i
/** Models whose published 4-bit checkpoints keep attention and dense matrices in more bits. */
const EXPERTS_ONLY = /deepseek|minimax|qwen3\.5|glm|kimi|gpt-oss/i

/** Models with latent attention; Hopper reads their 8-bit caches slower than 16-bit ones, so nobody serves them so. */
const LATENT = /deepseek|kimi|glm-5/i

/** Whether a server keeps its cache in 8 bits where its benchmark says so for the model. */
export const hasNarrowCache = (
  config: Document,
  system: string,
  formats: { precision: string; expertPrecision?: string },
) =>
  (formats.precision !== 'bf16' || formats.expertPrecision !== undefined) &&
  !(LATENT.test(textAt(config, 'model_path') ?? '') && /^h[12]00/.test(system))

/** Formats of matrices and experts that a configuration names, as the model's published checkpoints have them. */
export function sweepFormats(config: Document): { precision: string; expertPrecision?: string } {
  const model = textAt(config, 'model_path') ?? ''
  const gemm = textAt(config, 'gemm_quant_mode') ?? textAt(config, 'precision') ?? 'bf16'
  const moe = textAt(config, 'moe_quant_mode') ?? gemm
  const eight = BLOCK_SCALED.test(model) ? 'fp8_block' : 'fp8'
  const spelled = (mode: string): string => (mode.startsWith('fp8') ? eight : mode === 'fp4' ? 'nvfp4' : mode)
  const expert = spelled(moe)
  const fourBits = expert === 'nvfp4' || expert.startsWith('int4')
  if (fourBits && EXPERTS_ONLY.test(model)) {
    return { precision: 'bf16', expertPrecision: /gpt-oss/i.test(model) ? 'mxfp4' : expert }
  }
  return { precision: spelled(gemm) }
}

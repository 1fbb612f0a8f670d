import type { Dtype } from '../dtypes.ts'
import { ConfigError } from './configError.ts'
import { type ConfigFields, isObject } from './configFields.ts'

const byTorchName: Readonly<Record<string, Dtype>> = {
  float32: 'fp32',
  bfloat16: 'bf16',
  float16: 'fp16',
  float8_e4m3fn: 'fp8',
}

const byQuantization: Readonly<Record<string, Dtype>> = {
  fp8: 'fp8',
  fbgemm_fp8: 'fp8',
  mxfp4: 'fp4',
  nvfp4: 'fp4',
}

const quantizedDtype = (quantization: unknown, path: string): Dtype => {
  if (!isObject(quantization)) throw new ConfigError(path, 'an object', quantization)
  const method = quantization['quant_method'] ?? quantization['quant_algo']
  const bits = quantization['bits']
  if (method === 'awq' || method === 'gptq') {
    if (bits === 4) return 'int4'
    if (bits === 8) return 'int8'
    throw new ConfigError(`${path}.bits`, '4 or 8', bits)
  }
  const found = typeof method === 'string' ? byQuantization[method.toLowerCase()] : undefined
  if (found === undefined)
    throw new ConfigError(`${path}.quant_method`, `${Object.keys(byQuantization).join(', ')}, awq or gptq`, method)
  return found
}

/**
 * The dtype most weights are stored in, from `quantization_config` or else `dtype`/`torch_dtype`; `undefined` when the
 * file says nothing of either. Throws `ConfigError` for one that has no name here.
 */
export const storedDtype = (fields: ConfigFields): Dtype | undefined => {
  if (fields.has('quantization_config'))
    return quantizedDtype(fields.value('quantization_config'), fields.path('quantization_config'))
  const name = fields.has('dtype') ? 'dtype' : 'torch_dtype'
  const torch = fields.text(name)
  if (torch === undefined) return undefined
  const found = byTorchName[torch.replace('torch.', '')]
  if (found === undefined) throw new ConfigError(fields.path(name), Object.keys(byTorchName).join(', '), torch)
  return found
}

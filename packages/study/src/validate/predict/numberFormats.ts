import type { StepDtype, StepDtypes } from '@windtunnel/cost/step/dtypes'
import type { Deployment } from '../measured/measuredRun.ts'
import { MeasuredRunError } from '../measured/measuredRunError.ts'

/** How runs spell number formats. Checkpoints named fp8 scale whole tensors or tokens; fp8_block scales 128 x 128 blocks. */
const spellings: Readonly<Record<string, StepDtype>> = {
  bf16: 'bf16',
  bfloat16: 'bf16',
  fp16: 'bf16',
  float16: 'bf16',
  'fp16/bf16': 'bf16',
  fp8: 'fp8',
  'fp8-block': 'fp8-block',
  fp4: 'nvfp4',
  nvfp4: 'nvfp4',
  mxfp4: 'mxfp4',
  int4: 'int4',
  'int4-wo': 'int4',
  int8: 'int8',
}

/** The format that a run names; throws MeasuredRunError with the known spellings. */
export function formatOf(spelling: string, where: string): StepDtype {
  const name = spelling
    .toLowerCase()
    .replace(/\s*\(.*\)\s*$/, '')
    .replaceAll('_', '-')
  const format = spellings[name]
  if (format !== undefined) return format
  throw new MeasuredRunError(where, `unknown precision "${spelling}"; known are ${Object.keys(spellings).join(', ')}`)
}

/** Formats of weights and KV cache. The cache is in 16 bits unless the run says otherwise. */
export function formatsOf(deployment: Deployment, where: string): Partial<StepDtypes> {
  const { precision, expertPrecision, keyValuePrecision } = deployment
  return {
    weights: formatOf(precision, where),
    ...(expertPrecision === undefined ? {} : { experts: formatOf(expertPrecision, where) }),
    keyValues: keyValuePrecision === undefined ? 'bf16' : formatOf(keyValuePrecision, where),
  }
}

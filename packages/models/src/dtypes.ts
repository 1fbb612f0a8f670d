import { UnknownName } from './unknownName.ts'

/** Bytes of one stored element. Scales of block formats are not counted: about 3 % for mxfp4 and 6 % for nvfp4. */
export const dtypeBytes = {
  fp32: 4,
  tf32: 4,
  bf16: 2,
  fp16: 2,
  fp8: 1,
  int8: 1,
  fp4: 0.5,
  int4: 0.5,
} as const

export type Dtype = keyof typeof dtypeBytes

export const dtypes = Object.keys(dtypeBytes) as readonly Dtype[]

/** The dtype of that name. Throws `UnknownName`. */
export const dtype = (name: string): Dtype => {
  const found = dtypes.find((candidate) => candidate === name)
  if (found === undefined) throw new UnknownName('dtype', name, dtypes)
  return found
}

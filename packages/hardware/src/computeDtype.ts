/** Element types that matrix units multiply. */
export type ComputeDtype = 'fp32' | 'tf32' | 'bf16' | 'fp16' | 'fp8' | 'int8' | 'fp4' | 'int4'

export const computeDtypes: readonly ComputeDtype[] = ['fp32', 'tf32', 'bf16', 'fp16', 'fp8', 'int8', 'fp4', 'int4']

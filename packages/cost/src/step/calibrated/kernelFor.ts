import type { StepDtype } from '../dtypes.ts'

/** Formats to try in turn for a kernel that was not measured in one: near ones first, bf16 last. */
const substitutes: Readonly<Record<StepDtype, readonly StepDtype[]>> = {
  fp32: ['bf16'],
  tf32: ['bf16'],
  bf16: [],
  fp16: ['bf16'],
  fp8: ['fp8-block', 'bf16'],
  'fp8-block': ['fp8', 'bf16'],
  int8: ['fp8', 'fp8-block', 'bf16'],
  fp4: ['nvfp4', 'fp8', 'fp8-block', 'bf16'],
  nvfp4: ['fp8-block', 'fp8', 'bf16'],
  mxfp4: ['nvfp4', 'fp8-block', 'fp8', 'bf16'],
  int4: ['bf16'],
}

/** Formats that differ in name only. */
const sameSpeed = new Set(['fp16-bf16', 'fp4-nvfp4', 'int8-fp8'])

/**
 * The fitted figures of a kernel in a format, or in the nearest one measured. Throws when there is none at all, which no
 * parameter file should allow. `note` hears of a substitute.
 */
export function kernelFor<P>(
  title: string,
  figures: Readonly<Partial<Record<StepDtype, P>>>,
  wanted: StepDtype,
  note: (extrapolation: string) => void,
): { parameters: P; dtype: StepDtype } {
  for (const dtype of [wanted, ...substitutes[wanted], ...(Object.keys(figures) as StepDtype[])]) {
    const parameters = figures[dtype]
    if (parameters === undefined) continue
    if (dtype !== wanted && !sameSpeed.has(`${wanted}-${dtype}`))
      note(`${title} not measured in ${wanted}: that of ${dtype}`)
    return { parameters, dtype }
  }
  throw new RangeError(`${title}: the kernel parameters have no figures in any format`)
}

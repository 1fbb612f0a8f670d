import type { KernelParameters } from './kernelParameters.ts'

/** A number with four significant digits: more is noise. */
const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value

/** The parameters as a JSON document, figures rounded to four digits. */
export const parameterJson = (parameters: KernelParameters): string => `${JSON.stringify(parameters, rounded, 2)}\n`

/** The parameters as a TypeScript module that exports them under `exportName`. */
export const parameterModule = (parameters: KernelParameters, exportName: string): string =>
  `import type { KernelParameters } from '../kernelParameters.ts'\n\n` +
  `export const ${exportName}: KernelParameters = ${JSON.stringify(parameters, rounded, 2)}\n`

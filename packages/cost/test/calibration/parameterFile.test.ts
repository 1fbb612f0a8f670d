import { describe, expect, it } from 'vitest'
import {
  fittedEngine,
  fittedKernels,
  type ParameterFile,
  parameterFileJson,
  readParameterFile,
} from '../../src/calibration/parameterFile.ts'
import { kernelParameters } from '../../src/calibration/parameters/index.ts'

const file: ParameterFile = {
  windtunnelParameters: 1,
  kernels: [kernelParameters.get('h100-sxm')!],
  engines: [{ name: 'vllm-0.15.1', source: 'ours', step: { perStepSeconds: 1e-3 } }],
}

describe('a parameter file', () => {
  it('is read as it was written', () => {
    const read = readParameterFile(parameterFileJson(file), 'ours.json')
    expect(fittedEngine(read, 'vllm-0.15.1')!.step).toEqual({ perStepSeconds: 1e-3 })
    expect(fittedKernels(read, 'h100-sxm')!.peaks.hbmBytesPerSecond).toBe(3.35e12)
    expect(fittedKernels(read, 'l40s')).toBeUndefined()
  })

  it('serves another version of its engine, but no other engine', () => {
    expect(fittedEngine(file, 'vllm-0.16.0')!.name).toBe('vllm-0.15.1')
    expect(fittedEngine(file, 'sglang-0.5.9')).toBeUndefined()
  })

  it('is refused with the place where it is wrong', () => {
    expect(() => readParameterFile('{', 'ours.json')).toThrow(/ours\.json.*JSON/)
    expect(() => readParameterFile('{}', 'ours.json')).toThrow(/windtunnelParameters/)
    const negative = { windtunnelParameters: 1, engines: [{ name: 'vllm-0.15.1', step: { perStepSeconds: -1 } }] }
    expect(() => readParameterFile(JSON.stringify(negative), 'ours.json')).toThrow(/step\.perStepSeconds/)
  })
})

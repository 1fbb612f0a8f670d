import { describe, expect, it } from 'vitest'
import { compareVersions } from '../../src/calibration/compareVersions.ts'
import { fitForm } from '../../src/calibration/fitting/fitForm.ts'
import { nelderMead } from '../../src/calibration/fitting/nelderMead.ts'
import { residualsOf } from '../../src/calibration/fitting/residuals.ts'
import { gemmForm } from '../../src/calibration/forms/gemmForm.ts'
import type { KernelRow } from '../../src/calibration/kernelRow.ts'
import { gemmSeconds } from '../../src/calibration/kernels/gemm.ts'
import { readKernelTable } from '../../src/calibration/kernelTable.ts'
import { powerSum } from '../../src/calibration/powerSum.ts'

const peaks = { flopsPerSecond: { bf16: 1e15 }, hbmBytesPerSecond: 4e12, l2Bytes: 50e6 }

describe('a sum of powers', () => {
  it('is the sum for norm 1, the hypotenuse for norm 2 and near the maximum for large norms', () => {
    expect(powerSum(1, 3, 4)).toBeCloseTo(7, 12)
    expect(powerSum(2, 3, 4)).toBeCloseTo(5, 12)
    expect(powerSum(2, 2, 3, 6)).toBeCloseTo(7, 12)
    expect(powerSum(200, 3, 4)).toBeCloseTo(4, 6)
    expect(powerSum(2, 0, 0)).toBe(0)
  })
})

describe('the downhill search', () => {
  it('finds the valley of Rosenbrock at (1, 1)', () => {
    const rosenbrock = ([x, y]: readonly number[]) => (1 - x!) * (1 - x!) + 100 * (y! - x! * x!) * (y! - x! * x!)
    const { at } = nelderMead(rosenbrock, [-1.2, 1], 0.5)
    expect(at[0]).toBeCloseTo(1, 3)
    expect(at[1]).toBeCloseTo(1, 3)
  })
})

describe('residuals', () => {
  it('are per cent of the measurement, median, 90th percentile and signed', () => {
    const rows = [90, 95, 100, 105, 120].map((predicted) => ({ predicted, measured: 100 }))
    const residuals = residualsOf(rows)!
    expect(residuals.medianPercent).toBeCloseTo(5, 9)
    // Sorted 0, 5, 5, 10, 20: position 3.6 lies at 10 + 0.6 x 10.
    expect(residuals.p90Percent).toBeCloseTo(16, 9)
    expect(residuals.biasPercent).toBeCloseTo(0, 9)
    expect(residualsOf([])).toBeUndefined()
  })
})

describe('a matrix multiplication', () => {
  it('adds launch, the sum of powers of its terms, and the quantisation of activations', () => {
    const figures = {
      computeEfficiency: 0.5,
      memoryEfficiency: 0.5,
      fixedSeconds: 3e-6,
      norm: 1,
      secondsPerInput: 1e-9,
    }
    // 2 x 1000^3 / 1e15 / 0.5 = 4 us; (1e6 x 2 + 1e6 x 2 + 1e6 x 2) B / 4e12 / 0.5 = 3 us; 1000 x 1 ns = 1 us; launch 3 us.
    const shape = { rows: 1000, outputs: 1000, inputs: 1000 }
    expect(gemmSeconds(figures, peaks, 'bf16', shape)).toBeCloseTo(11e-6, 15)
    // Quantisation: 4 B x 1e6 / 4e12 / 0.25 = 4 us.
    expect(gemmSeconds({ ...figures, quantisationEfficiency: 0.25 }, peaks, 'bf16', shape)).toBeCloseTo(15e-6, 15)
  })
})

describe('fitting a form', () => {
  const truth = { computeEfficiency: 0.7, memoryEfficiency: 0.85, fixedSeconds: 4e-6, norm: 2, secondsPerInput: 6e-10 }
  const rows: KernelRow[] = []
  for (const m of [1, 8, 64, 512, 4096]) {
    for (const n of [1024, 4096, 16384]) {
      for (const k of [1024, 4096, 16384]) {
        const seconds = gemmSeconds(truth, peaks, 'bf16', { rows: m, outputs: n, inputs: k })
        const row = {
          accelerator: 'a',
          dtype: 'bf16',
          operation: 'gemm',
          kernel: 'k',
          source: 's',
          suspect: false,
        } as const
        rows.push({ ...row, seconds, sizes: { m, n, k } })
      }
    }
  }

  it('finds the figures that made the rows, and meets rows it did not see', () => {
    const { parameters, unseen } = fitForm(gemmForm(peaks, 'bf16'), rows)
    expect(parameters.computeEfficiency).toBeCloseTo(0.7, 2)
    expect(parameters.memoryEfficiency).toBeCloseTo(0.85, 2)
    expect(parameters.fixedSeconds).toBeCloseTo(4e-6, 7)
    expect(unseen!.rows).toBe(11)
    expect(unseen!.p90Percent).toBeLessThan(1)
  })

  it('does not let a few wild rows steer it', () => {
    const wild = rows.map((row, index) => (index % 15 === 0 ? { ...row, seconds: row.seconds * 5 } : row))
    const { parameters } = fitForm(gemmForm(peaks, 'bf16'), wild)
    expect(parameters.computeEfficiency).toBeCloseTo(0.7, 1)
    expect(parameters.memoryEfficiency).toBeCloseTo(0.85, 1)
  })
})

describe('a kernel table', () => {
  const header = 'gpu,dtype,op,kernel,m,n,k,tp,time_us,source,suspect'

  it('is read row by row; blank sizes are absent', () => {
    const rows = readKernelTable(`${header}\nh100_sxm,fp8_block,gemm,cutlass,1,2,3,,4.5,x/y/1.0,1.0\n`)
    expect(rows).toEqual([
      {
        accelerator: 'h100_sxm',
        dtype: 'fp8-block',
        operation: 'gemm',
        kernel: 'cutlass',
        source: 'x/y/1.0',
        seconds: 4.5e-6,
        suspect: true,
        sizes: { m: 1, n: 2, k: 3 },
      },
    ])
  })

  it('names the line and what is wrong there', () => {
    expect(() => readKernelTable('gpu,dtype,op\n')).toThrow(/column kernel must be present/)
    expect(() => readKernelTable(`${header}\na,bf17,gemm,k,1,2,3,,4,s,\n`)).toThrow(
      /line 2: dtype must be one of .*bf16/,
    )
    expect(() => readKernelTable(`${header}\na,bf16,gemm,k,1,x,3,,4,s,\n`)).toThrow(
      /line 2: n must be a number, found x/,
    )
    expect(() => readKernelTable(`${header}\na,bf16,gemm,k,1,2,3,,0,s,\n`)).toThrow(/time_us must be above zero/)
  })
})

describe('versions', () => {
  it('are ordered number by number', () => {
    expect(['0.19.0', '0.9', '0.15.1', '0.15'].sort(compareVersions)).toEqual(['0.9', '0.15', '0.15.1', '0.19.0'])
  })
})

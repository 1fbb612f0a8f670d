import { type MeshLink, planShardedMatmul, ShardingError } from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const ring: MeshLink = { linkBytesPerSecond: 45e9, wraps: true, hopSeconds: 0 }
const mesh = { X: 4, Y: 8 }
const links = { X: ring, Y: ring }
const dims = { I: 1024, J: 4096, K: 8192 }
const plan = (matmul: string, more: object = {}) =>
  planShardedMatmul(matmul, { mesh, dims, links, peakFlopsPerSecond: 197e12, ...more })

describe('planning a sharded matmul', () => {
  test('finds nothing to communicate when no contraction is sharded', () => {
    const found = plan('A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]')
    expect(found.rule.case).toBe(1)
    expect(found.arrays.left.localShape).toEqual([256, 4096])
    expect(found.arrays.right).toEqual({ localShape: [4096, 1024], bytes: 8388608 })
    expect(found.plans.map((one) => one.label)).toEqual(['none'])
    // 2 * 1024 * 4096 * 8192 over 32 devices.
    expect(found.cheapest.flopsPerDevice).toBe(2 ** 36 / 32)
    expect(found.cheapest.totalFlops).toBe(2 ** 36)
  })

  test('weighs a gather of the operand against partial products that are reduced (case 2)', () => {
    const found = plan('A[I, J_X] * B[J, K] -> C[I, K]')
    expect(found.rule).toMatchObject({ case: 2, summary: 'AllGather_X(A)' })
    const [gather, reduce] = found.plans
    // A is 2*1024*4096 = 8388608 bytes over 9e10 B/s; every device does all the FLOPs.
    expect(gather).toMatchObject({ label: 'AllGather_X(A)', collectiveBytes: 8388608, flopsPerDevice: 2 ** 36 })
    expect(gather!.collectiveSeconds).toBeCloseTo(8388608 / 9e10, 12)
    // C is 2*1024*8192 = 16777216 bytes, twice around; X shares the FLOPs.
    expect(reduce).toMatchObject({ collectiveBytes: 16777216, flopsPerDevice: 2 ** 34 })
    expect(reduce!.label).toBe('Slice_X,J(B) + AllReduce_X(C)')
    expect(reduce!.collectiveSeconds).toBeCloseTo((2 * 16777216) / 9e10, 12)
    expect(found.cheapest).toBe(gather)
  })

  test('scatters the sum where the result is sharded over the contraction axis (case 3)', () => {
    const found = plan('A[I, J_X] * B[J_X, K] -> C[I, K_X]')
    expect(found.rule).toMatchObject({ case: 3, partialAxes: ['X'], summary: 'ReduceScatter_X,K(C)' })
    expect(found.plans.map((one) => one.label)).toContain('ReduceScatter_X,K(C)')
  })

  test('leaves a sum unreduced when the result says so', () => {
    const found = plan('A[I, J_X] * B[J_X, K] -> C[I, K]{U_X}')
    expect(found.rule.summary).toBe('none')
    expect(found.plans.map((one) => one.label)).toEqual(['none'])
  })

  test('gathers one operand where both shard a free dimension over the same axis (case 4)', () => {
    const found = plan('A[I_X, J] * B[J, K_X] -> C[I_X, K]')
    expect(found.rule.case).toBe(4)
    expect(found.plans.map((one) => one.label)).toEqual(['AllGather_X(B)'])
  })

  test('explains why a result cannot be sharded twice over one axis, and what to gather', () => {
    const matmul = 'A[I_X, J] * B[J, K_X] -> C[I_X, K_X]'
    expect(() => plan(matmul)).toThrow(ShardingError)
    expect(() => plan(matmul)).toThrow(/AllGather_X one operand.*mesh axis X is used by dimension I and by dimension K/)
  })

  test('adds times without overlap and takes the longer with it', () => {
    const overlapped = plan('A[I, J_X] * B[J_X, K] -> C[I, K]').plans[0]!
    const serial = plan('A[I, J_X] * B[J_X, K] -> C[I, K]', { overlap: false }).plans.find(
      (one) => one.label === overlapped.label,
    )!
    expect(overlapped.seconds).toBe(Math.max(overlapped.mathSeconds!, overlapped.collectiveSeconds!))
    expect(serial.seconds).toBe(serial.mathSeconds! + serial.collectiveSeconds!)
  })

  test('gathers over an idle axis too when asked, in half the time over two axes', () => {
    const found = plan('A[I, J_X] * B[J, K] -> C[I, K]', { useIdleAxes: true })
    const [wide, narrow] = ['Slice_Y(A) + AllGather_XY(A)', 'AllGather_X(A)'].map((label) =>
      found.plans.find((one) => one.label === label),
    )
    expect(wide!.collectiveBytes).toBe(narrow!.collectiveBytes)
    expect(wide!.collectiveSeconds! * 2).toBeCloseTo(narrow!.collectiveSeconds!, 12)
    expect(found.cheapest).toBe(wide)
  })

  test('gives bytes and FLOPs, and no times, without links and peak', () => {
    const found = planShardedMatmul('A[I, J_X] * B[J_X, K] -> C[I, K]', { mesh, dims })
    expect(found.cheapest.seconds).toBeUndefined()
    expect(found.cheapest.collectiveBytes).toBe(16777216)
  })

  test('repeats the work along an idle axis', () => {
    const found = planShardedMatmul('A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]', { mesh: { ...mesh, Z: 3 }, dims })
    expect(found.cheapest.totalFlops).toBe(3 * found.flops)
  })

  test('reads numbers as dimensions and long axis names in braces', () => {
    const found = planShardedMatmul('In[8_data, 2048_{model}] W[2048_model, 8192] -> Out[8_data, 8192]', {
      mesh: { data: 2, model: 2 },
      dims: {},
    })
    expect(found.arrays.left.localShape).toEqual([4, 1024])
    expect(found.rule.summary).toBe('AllReduce_{model}(Out)')
  })

  test.each([
    ['A[I_X, J] * B[J, K]', /expected the form/],
    ['A[I_X, J_X] * B[J, K] -> C[I, K]', /A\[I_X, J_X\]: mesh axis X is used by dimension I and by dimension J/],
    ['A[I_Q, J] * B[J, K] -> C[I, K]', /mesh axis Q is not in the mesh; the mesh is X=4, Y=8/],
    ['A[I, J] * B[J, L] -> C[I, L]', /dimension L has no length/],
    ['A[I, J] * B[J, K] -> C[I]', /dimension K is neither in the other operand nor in the result/],
    ['A[I, J] * B[J, K] -> C[I, M]', /dimension M is in neither operand/],
    ['A[I, I] * B[I, K] -> C[I, K]', /dimension I appears twice/],
    ['A[I, J]{U_X} * B[J, K] -> C[I, K]', /an operand may not be unreduced/],
    ['A[I, J] * B[J, K] -> C[I, K]{U_X}', /can only stay unreduced over axes/],
  ])('explains %s', (matmul, message) => {
    expect(() => plan(matmul)).toThrow(message)
  })

  test('says to what length to pad a dimension that does not divide', () => {
    expect(() => plan('A[I_X,J]*B[J,K]->C[I_X,K]', { dims: { ...dims, I: 1023 } })).toThrow(/I=1023.*pad it to 1024/)
  })
})

const axes = fc.constantFrom<string[]>([], ['X'], ['Y'], ['X', 'Y'], ['Y', 'X'])
const subscript = (dim: string, over: readonly string[]) => (over.length === 0 ? dim : `${dim}_${over.join('')}`)
const once = (...all: readonly string[][]) => new Set(all.flat()).size === all.flat().length
const sharded = fc
  .tuple(axes, axes, axes, axes, axes, axes)
  .filter(([a, b, c, d, e, f]) => once(a, b) && once(c, d) && once(e, f))

describe('any legal sharding of the arrays', () => {
  test('has a plan, and every plan ends with the result as asked for', () => {
    fc.assert(
      fc.property(sharded, ([i, j, j2, k, i3, k3]) => {
        const text = `A[${subscript('I', i)},${subscript('J', j)}]*B[${subscript('J', j2)},${subscript('K', k)}]->C[${subscript('I', i3)},${subscript('K', k3)}]`
        const found = plan(text)
        expect(found.plans.length).toBeGreaterThan(0)
        for (const one of found.plans) {
          const held = {
            A: found.arrays.left.bytes,
            B: found.arrays.right.bytes,
            C: 2 * one.localShapes.result.reduce((all, dim) => all * dim, 1),
          }
          for (const { kind, axes: over, array } of one.steps) {
            const ways = over.reduce((all, axis) => all * mesh[axis as 'X' | 'Y'], 1)
            if (kind === 'all-gather') held[array as 'A'] *= ways
            if (kind === 'slice' || kind === 'reduce-scatter') held[array as 'A'] /= ways
          }
          expect(held.C, `${text}: ${one.label}`).toBe(found.arrays.result.bytes)
          expect(one.flopsPerDevice).toBeGreaterThanOrEqual(found.flops / 32)
          expect(one.seconds!).toBeGreaterThanOrEqual(found.cheapest.seconds!)
        }
      }),
    )
  })
})

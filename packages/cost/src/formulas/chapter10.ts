import { permuteSteps } from '../collectives/index.ts'
import { collectiveMatmul } from '../sharding/index.ts'
import { chapter, formula, number } from './formula.ts'

export const chapter10 = chapter(10, 'JAX', {
  J1: formula({
    title: 'collective matmul',
    text: 'Y local chunks with Y-1 permutes (both directions: ceil((Y-1)/2)) that overlap the matmuls',
    variables: {
      devices: number('1', 'Y, devices along the axis'),
      mathSeconds: number('s', 'time of the whole local matmul'),
      shardBytes: number('B', 'bytes of one shard of the operand that travels'),
      linkBytesPerSecond: number('B/s', 'one link, one direction'),
    },
    outputs: {
      permutes: '1',
      permutesBothWays: '1',
      seconds: 's',
      secondsBothWays: 's',
      serialSeconds: 's',
      bound: 'verdict',
    },
    valid: 'local shapes by C1',
    by: { collectiveMatmul, permuteSteps },
    evaluate: (v) => ({
      ...collectiveMatmul(v),
      permutesBothWays: permuteSteps(v.devices, 2),
      secondsBothWays: collectiveMatmul({ ...v, directions: 2 }).seconds,
    }),
  }),
})

import { check } from './checkFormula.ts'

check(
  'C1',
  { array: 'A[I_XY, J]', dims: 'I=64,J=10', mesh: 'X=4,Y=2', bytesPerElement: 4 },
  { localShape: [8, 10], bytesPerDevice: 320 },
)
check('C2', { mesh: 'X=4,Y=8,Z=2', shardedAxes: 'X' }, { ratio: 16 })
// 80 bytes over 8 chips: 10 a hop, four hops, at 5 each way 2 s a hop.
check('C3', { bytes: 80, size: 8, axisBytesPerSecond: 10 }, { bytesPerHop: 10, hops: 4, hopSeconds: 2, seconds: 8 })
check('C4', { bytes: 80, size: 8, bytesPerSecond: 10 }, { seconds: 7 })
// Hops of 1 s: four hops, half the ring, against 80/100.
check(
  'C5',
  { bytes: 80, size: 8, axisBytesPerSecond: 100, hopSeconds: 1 },
  {
    seconds: 4,
    bandwidthSeconds: 0.8,
    latencySeconds: 4,
    bound: 'latency',
    hopSeconds: 1,
    bytesPerHop: 10,
    latencyBoundBytes: 50,
  },
)
// Two axes: 80/(2*10) against (8+4)/2 hops of 0.5 s.
check(
  'C6',
  { bytes: 80, axes: [8, 4], axisBytesPerSecond: 10, hopSeconds: 0.5 },
  { seconds: 4, bandwidthSeconds: 4, latencySeconds: 3, bound: 'bandwidth' },
)
// The 34 MB gather along 4 chips of v5e, measured at 680 us: 3/4 of the bytes over one direction.
check(
  'C7',
  { bytes: 33554432, size: 4, linkBytesPerSecond: 45e9 },
  { seconds: (33554432 * 0.75) / 45e9, latencySeconds: 3e-6, bound: 'bandwidth' },
)
check('C8', { bytes: 90e9, size: 16, axisBytesPerSecond: 90e9 }, { seconds: 1 })
check('C9', { bytes: 90e9, size: 16, axisBytesPerSecond: 90e9 }, { seconds: 2 })
// V/(4W) on one axis; 16x4 of 64 chips: V*16/(4*64*W) = V/(16 W).
check('C10', { bytes: 16, axes: [16], axisBytesPerSecond: 1, hopSeconds: 0 }, { seconds: 4 })
check('C10', { bytes: 16, axes: [16, 4], axisBytesPerSecond: 1, hopSeconds: 0 }, { seconds: 1 })
check('C11', { bytes: 90e9, size: 16, axisBytesPerSecond: 90e9, otherShards: 4 }, { seconds: 0.25 })
check('C12', { matmul: 'A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]' }, { case: 1, collectives: 'none' })
check('C12', { matmul: 'A[I, J] * B[J_X, K] -> C[I, K]' }, { case: 2, collectives: 'AllGather_X(B)' })
check('C12', { matmul: 'A[I_Z, J_X] * B[J_X, K] -> C[I_Z, K_X]' }, { case: 3, collectives: 'ReduceScatter_X,K(C)' })
check(
  'C12',
  { matmul: 'A[I_Y, J] * B[J, K_Y] -> C[I_Y, K_Y]' },
  { case: 4, collectives: 'invalid: AllGather_Y one operand' },
)
// alpha = 100/10. Gather: max(2*4*100*2/100, 2*200/10) = 40; reduce: max(16/4, 4*8/10) = 4.
check(
  'C13',
  { batchTokens: 4, inputDim: 100, outputDim: 2, devices: 4, peakFlopsPerSecond: 100, axisBytesPerSecond: 10 },
  { gatherSeconds: 40, reduceSeconds: 4, faster: 'reduce', gatherBatchThreshold: 10, reduceDeviceLimit: 5 },
)
check('C14', { contracted: 4096, outputs: 1024 }, { ratio: 4 })
// D = 4: three of four shards pass each link; right 2*3/2 = 3 chunks, left 2*1/2 = 1, together D^2/4 = 4.
check(
  'C15',
  { scalars: 64, devices: 4 },
  {
    gatherOneWay: 48,
    gatherBothWays: 24,
    exchangeOneWay: 24,
    exchangeBothWays: 12,
    chunksRight: 3,
    chunksLeft: 1,
    chunksBothWays: 4,
  },
)
check('C16', { bytes: 90, axes: [4], idleAxes: [4, 4], axisBytesPerSecond: 10 }, { seconds: 3, withoutIdleSeconds: 9 })
check('C17', { linkBytesPerSecond: 45e9 }, { bytes: 45e3 })
// f32[3,5] under T(2,2), and bf16[9,129] under the usual T(8,128).
check('P1', { shape: [3, 5], tile: [2, 2] }, { padded: [4, 6], elements: 24, expansion: 1.6 })
check('P1', { shape: [2, 9, 129] }, { padded: [2, 16, 256], elements: 8192, expansion: 8192 / 2322 })
// 2*8*4*16 FLOP at 512 FLOP/s, measured at 4 s.
check(
  'P2',
  { hlo: '%f = bf16[8,16] fusion(bf16[8,4] %a, bf16[4,16] %b)', peakFlopsPerSecond: 512, measuredSeconds: 4 },
  { seconds: 2, flops: 1024, bytes: 2 * (128 + 32 + 64), utilisation: 0.5, groupSize: undefined },
)
// 4 chunks of 1 s; three permutes of 0.5 s hide behind three chunks, or two when both directions are used.
check(
  'J1',
  { devices: 4, mathSeconds: 4, shardBytes: 5, linkBytesPerSecond: 10 },
  { permutes: 3, permutesBothWays: 2, seconds: 4, secondsBothWays: 4, serialSeconds: 5.5, bound: 'compute' },
)
// Permutes of 2 s: one chunk, then three permutes.
check(
  'J1',
  { devices: 4, mathSeconds: 4, shardBytes: 20, linkBytesPerSecond: 10 },
  { seconds: 7, secondsBothWays: 5, serialSeconds: 10, bound: 'communication' },
)

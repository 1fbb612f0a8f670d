import { check } from './checkFormula.ts'

// 2*256*256 FLOP a cycle, at 1 GHz, on two units.
check(
  'H1',
  { rows: 256, columns: 256, clockHz: 1e9, units: 2 },
  { flopsPerCycle: 131072, unitFlopsPerSecond: 131072e9, chipFlopsPerSecond: 262144e9 },
)
// v5p core: 8*128*4*1.75e9 = 7.168e12.
check('H2', { alus: 4, clockHz: 1.75e9 }, { flopsPerSecond: 7.168e12 })
// 26 GB over 8 chips of 1 TB/s.
check('H3', { parameterBytes: 26e9, chips: 8, hbmBytesPerSecond: 1e12 }, { seconds: 26 / 8000 })
// 4x4 chips on hosts of 4x2: two hosts of eight chips.
check(
  'H4',
  {
    podShape: [4, 4],
    hostShape: [4, 2],
    coresPerChip: 2,
    flopsPerSecond: 10,
    hbmBytes: 3,
    hbmBytesPerSecond: 5,
    hostNetworkBytesPerSecond: 80,
  },
  { chips: 16, hosts: 2, cores: 32, flopsPerSecond: 160, hbmBytes: 48, hbmBytesPerSecond: 80, networkPerChip: 10 },
)
// D = 100, F = 400: DF/(D+F) = 80 > C/W = 40; 2*4e4/1 / (2*4e4/40 - 2*500) = 80000/1000; D from 40*1.25.
check(
  'H5',
  { inputDim: 100, outputDim: 400, peakFlopsPerSecond: 40, pcieBytesPerSecond: 1 },
  { smallBatchTokens: 40, batchTokens: 80, largestIntensity: 80, reachable: true, smallestInputDim: 50 },
)
// 220e12 / (22 * 1e12).
check('H6', { peakFlopsPerSecond: 220e12, hbmBytesPerSecond: 1e12 }, { criticalIntensity: 10 })
// On a 16x16 ring the corners are one hop apart on each axis; 2e6 bytes over two links of 1e9 take 1 ms.
check(
  'H7',
  { bytes: 2e6, shape: [16, 16], from: [0, 0], to: [15, 15], linkBytesPerSecond: 1e9 },
  { hops: 2, firstByteSeconds: 2e-6, bandwidthSeconds: 1e-3, totalSeconds: 1.002e-3 },
)
check('H8', { shape: [16, 8] }, { wraps: [true, false] })
check('H8', { shape: [4, 8, 12] }, { wraps: [true, true, true] })
check('H8', { shape: [4, 8, 6] }, { wraps: [false, false, false] })
check(
  'H9',
  { linkBytesPerSecond: 45e9, links: 4, hbmBytesPerSecond: 900e9 },
  { wrappedAxis: 90e9, openAxis: 45e9, egress: 180e9, hbmOverLink: 20 },
)
// 100 bytes on 4 chips: 100/(4*5), 75/(2*1), 100/50, 30/10.
check(
  'H10',
  {
    bytes: 100,
    chips: 4,
    pcieBytesPerSecond: 5,
    linkBytesPerSecond: 1,
    hbmBytesPerSecond: 50,
    flops: 30,
    peakFlopsPerSecond: 10,
  },
  {
    pcieSeconds: 5,
    iciSeconds: 37.5,
    hbmSeconds: 2,
    mathSeconds: 3,
    bottleneck: 'ici',
    lowerSeconds: 37.5,
    upperSeconds: 47.5,
  },
)
// 100 -> 128 and 300 -> 384.
check('H11', { shape: [100, 300] }, { padded: [128, 384], expansion: (128 * 384) / 30000 })
check('H11', { shape: [100, 300], side: 256 }, { padded: [256, 512], expansion: (256 * 512) / 30000 })
check('H12', { registers: 32 }, { coreBytes: 131072, chipBytes: 131072 })

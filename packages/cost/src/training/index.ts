export * from './acrossSlices.ts'
export { type MixLimits, type TrainingMix, trainingMixes } from './bestMix.ts'
export * from './dataParallel.ts'
export * from './duration.ts'
export type { LayerTime, TrainingChip, TrainingLayer, TrainingVerdict } from './layer.ts'
export * from './layerTraffic.ts'
export * from './memory.ts'
export {
  type AxisOverlap,
  axisOverlaps,
  bestFsdpShards,
  type MixedLayerTime,
  type MixedShards,
  mixedForward,
  mixedMinTokensPerChip,
  mixedRegime,
} from './mixedParallel.ts'
export * from './pipeline.ts'
export * from './powersOfTwo.ts'
export * from './scheme.ts'
export * from './switchedMix.ts'
export * from './tensorParallel.ts'

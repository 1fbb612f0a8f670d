export { busBandwidth, ringAllreduce, ringSend, ringTreeCrossover, treeAllreduce } from './allReduces.ts'
export { connectionSetup, connectionState, inflightWindow } from './connections.ts'
export { deploymentPlan, deploymentRatio, serviceRate } from './deployment.ts'
export { epBatch1TpAttention, epSupernodeCapacity, epSupernodeStep } from './expertDomain.ts'
export { gridPacking } from './gridPacking.ts'
export { crossHostRing, deviceCount, dpVsGroup, expertLoad, moeDispatch } from './groups.ts'
export { activationBytes, matmulSplit, meshMatmul2d, swigluSplit } from './matrixSplits.ts'
export {
  fitRequests,
  kvBytes,
  latentKvBytes,
  linearAttentionState,
  modelWeights,
  paramStorage,
  tpCardMemory,
  tpEpMemory,
} from './memory.ts'
export { powerBudget, serverPower } from './power.ts'
export { poolBorrow, readDemand, remoteVsFetch } from './remoteMemory.ts'
export { ringTrace } from './ringTrace.ts'
export { causalLoad, pipeline, rmsnormOrder, softmaxMerge } from './sequenceSplits.ts'
export {
  batchDecodeRead,
  batchMatmulFlops,
  expectedActiveExperts,
  expertLayer,
  moeDecodeStep,
  roofline,
  tpFlops,
} from './steps.ts'
export {
  tpBenefit,
  tpBreakEvenAllreduce,
  tpCompare,
  tpSensitivity,
  tpStepTime,
  tpStepVolume,
} from './tensorParallel.ts'
export { overlap, payback, scale } from './time.ts'
export {
  cutTime,
  fullMesh,
  laneBandwidth,
  numaStaging,
  opticalPayback,
  ringLinkLoad,
  switchNet,
  switchRadix,
  torus,
} from './topology.ts'
export { engramHide, engramService, engramTable, impliedFixedLatency, tokenTime } from './wafer.ts'

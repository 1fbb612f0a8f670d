import { ringAgainstTree } from './allReduces.tsx'
import { memoryOverTp } from './cardMemory.tsx'
import { loadOverRanks } from './causalLoad.tsx'
import { costOverDeadline, planPicture } from './deployment.tsx'
import { activeOverBatch, expertLayerOverBatch } from './experts.tsx'
import { linkLoadByRound, torusAgainstSwitches } from './networks.tsx'
import type { Picture } from './picture.ts'
import { pipelineChart } from './pipelineChart.tsx'
import { stepOverTp } from './tensorParallel.tsx'

/** The picture of a calculator, by its name. */
export const pictures: Readonly<Record<string, Picture>> = {
  causalLoad: loadOverRanks,
  deploymentPlan: costOverDeadline,
  deploymentPlanner: planPicture,
  expectedActiveExperts: activeOverBatch,
  expertLayer: expertLayerOverBatch,
  pipeline: pipelineChart,
  ringAllreduce: ringAgainstTree,
  ringLinkLoad: linkLoadByRound,
  ringTreeCrossover: ringAgainstTree,
  switchNet: torusAgainstSwitches,
  torus: torusAgainstSwitches,
  tpCardMemory: memoryOverTp,
  tpStepTime: stepOverTp,
  treeAllreduce: ringAgainstTree,
}

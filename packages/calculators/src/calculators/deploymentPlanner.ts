import { calculator } from '../calculator.ts'
import { planDeployment } from '../planner/planDeployment.ts'
import { planFields, planResults } from '../planner/planFields.ts'
import { planPresets } from '../planner/presets.ts'

export const deploymentPlanner = calculator({
  title: 'Which layout to deploy',
  section: 'Deployment',
  formula:
    'for each layout: memory (6-1); step max(FLOPs/P, W/B) + KV/B + collectives (6-9), (6-10); sessions on a timeline; cost per on-time session (6-13); the feasible ranked',
  validity:
    'Data-sheet peaks, no overlap of computing and communication, no contention between groups. Layers in equal stages; micro-batches as many as stages. Measure the first few before choosing.',
  source: 'AI Infra book, chapter 6, sections 6.7.1 to 6.7.3',
  presets: planPresets,
  example: { preset: 'bench' },
  input: planFields,
  output: planResults,
  compute: planDeployment,
})

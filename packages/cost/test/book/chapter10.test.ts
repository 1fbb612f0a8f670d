import { localViews, meanOverShards, meshDevices, permuteSteps, planShardedMatmul } from '@windtunnel/cost'
import { testChapter } from './bookCases.ts'

testChapter(10, {
  'ch10-jit-matmul-shapes': (i) => {
    const [rows, contracted] = i.numbers('In')
    const { arrays, rule, plans } = planShardedMatmul('In[B_X,D_Y] * W[D_Y,F] -> Out[B_X,F]', {
      mesh: i.mesh('mesh'),
      dims: { B: rows!, D: contracted!, F: i.numbers('W')[1]! },
    })
    const reduce = plans.find((plan) => plan.label === rule.summary)!.steps[0]!
    return {
      In_local: arrays.left.localShape,
      W_local: arrays.right.localShape,
      Out_local: arrays.result.localShape,
      collective: rule.summary.replace('(Out)', ''),
      allreduce_bytes: reduce.bytes,
    }
  },
  'ch10-shardmap-slice-average': (i) => {
    const all = Array.from({ length: i.number('N') }, (_, index) => index)
    const views = localViews(all, meshDevices(i.mesh('mesh')))
    return {
      local_len: views[0]!.length,
      output: meanOverShards(views.map((view) => view.slice(0, i.number('slice')))),
    }
  },
  'ch10-bidirectional-permutes': (i) =>
    Object.fromEntries(
      i.numbers('N').flatMap((devices) => [
        [`uni_${devices}`, permuteSteps(devices, 1)],
        [`bidi_${devices}`, permuteSteps(devices, 2)],
      ]),
    ),
})

import { allReduceSeconds, scaledLink, startupSeconds } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { localStep, stepVolume, tensorParallelStep } from '@windtunnel/cost/deployment/tensorParallelStep'
import { moveSeconds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { hbm } from '../fields/card.ts'
import { bytes, flag, group, quantity, ratio, seconds } from '../fields/field.ts'
import { stepModel, toStepModel } from '../fields/models.ts'
import { context, stepFields, tensorParallelInput } from '../fields/stepInput.ts'

const signed = (sentence: string, also: readonly string[] = []) => quantity('s', sentence, { also })
const example = { tp: 8, context: 131064 }
const validity = 'One session bound by memory; computing and communicating do not overlap.'

export const tpStepVolume = calculator({
  title: 'Bytes that a decode step reads',
  section: 'Tensor parallel step',
  formula: '(6-4) V(s) = L x layer + KV x (s+1) + output head',
  validity: 'One session. Embedding row, norms and sampling left out.',
  example: { context: 131064 },
  input: { model: stepModel, context, bandwidth: hbm },
  output: {
    bytes: bytes('All bytes.', { also: ['volume', 'total'] }),
    weights: bytes('Weights.', { also: ['weight_bytes'] }),
    kv: bytes('KV, the new token included.', { also: ['kv_bytes'] }),
    timeSeconds: seconds('Reading them with one card.', { also: ['local_s'] }),
  },
  compute: (input) => {
    const found = stepVolume(toStepModel(input.model), input.context)
    return {
      bytes: found.bytes,
      weights: found.weightBytes,
      kv: found.kvBytes,
      timeSeconds: moveSeconds(found.bytes, input.bandwidth),
    }
  },
})

export const tpStepTime = calculator({
  title: 'Decode step over a tensor-parallel group',
  section: 'Tensor parallel step',
  formula: '(6-5) T(p) = T_local / p + R T_AR(p); KV divides by min(p, KV heads)',
  validity,
  example,
  input: stepFields,
  output: {
    localSeconds: seconds('Reading weights and KV.'),
    commSeconds: seconds('All reductions.'),
    stepSeconds: seconds('The step.', { also: ['time_s'] }),
    speedup: ratio('Against one card.'),
    allreduceSeconds: seconds('One reduction.'),
    weightsPerCard: bytes('Weights that one card reads.'),
    kvPerCard: bytes('KV that one card reads.'),
    commShare: ratio('Of the step.'),
  },
  compute: (input) => {
    const step = tensorParallelStep(tensorParallelInput(input), input.context)
    const alone = tensorParallelStep({ ...tensorParallelInput(input), tp: 1 }, input.context)
    return {
      localSeconds: step.localSeconds,
      commSeconds: step.communicationSeconds,
      stepSeconds: step.seconds,
      speedup: alone.seconds / step.seconds,
      allreduceSeconds: step.allReduceSeconds,
      weightsPerCard: step.weightBytes,
      kvPerCard: step.kvBytes,
      commShare: step.communicationSeconds / step.seconds,
    }
  },
})

export const tpBenefit = calculator({
  title: 'Whether twice the cards make a step faster',
  section: 'Tensor parallel step',
  formula: '(6-6) R (T_AR(2p) - T_AR(p)) < T_local(p) - T_local(2p), which is T_local / 2p up to the KV heads',
  validity: `${validity} The same all-reduce model for both groups.`,
  example: { tp: 2, context: 131064 },
  input: stepFields,
  output: {
    localSavedSeconds: seconds('Reading saved.'),
    commAddedSeconds: signed('Communication added.'),
    netSavedSeconds: signed('Step time saved; negative where the larger group is slower.'),
    beneficial: flag('Whether the larger group is faster.'),
  },
  compute: (input) => {
    const small = tensorParallelInput(input)
    const before = tensorParallelStep(small, input.context)
    const after = tensorParallelStep({ ...small, tp: 2 * small.tp }, input.context)
    const localSavedSeconds = before.localSeconds - after.localSeconds
    const commAddedSeconds = after.communicationSeconds - before.communicationSeconds
    return {
      localSavedSeconds,
      commAddedSeconds,
      netSavedSeconds: localSavedSeconds - commAddedSeconds,
      beneficial: commAddedSeconds < localSavedSeconds,
    }
  },
})

export const tpSensitivity = calculator({
  title: 'What faster links and quicker starts save',
  section: 'Tensor parallel step',
  formula: 'R (T_AR(B) - T_AR(2B)) and R (T_AR(alpha) - T_AR(alpha/2))',
  validity: `${validity} A measured all-reduce does not change.`,
  example,
  input: stepFields,
  output: {
    doubleBandwidthSavedSeconds: seconds('Saved by twice the link bandwidth.'),
    halfAlphaSavedSeconds: seconds('Saved by half the start-up time.'),
    startupTotalSeconds: seconds('Start-up of all rounds of a step.'),
    stepSeconds: seconds('The step as it is.'),
  },
  compute: (input) => {
    const of = tensorParallelInput(input)
    const step = tensorParallelStep(of, input.context)
    const with_ = (factors: { alpha?: number; bandwidth?: number }) =>
      of.reductions * allReduceSeconds(scaledLink(of.allReduce, factors), of.tp)
    return {
      doubleBandwidthSavedSeconds: step.communicationSeconds - with_({ bandwidth: 2 }),
      halfAlphaSavedSeconds: step.communicationSeconds - with_({ alpha: 0.5 }),
      startupTotalSeconds: of.reductions * (startupSeconds(of.allReduce, of.tp) ?? 0),
      stepSeconds: step.seconds,
    }
  },
})

export const tpCompare = calculator({
  title: 'Two tensor-parallel steps',
  section: 'Tensor parallel step',
  formula: '(6-5) for both; slower = T_b - T_a',
  validity,
  example: { a: example, b: { tp: 16, context: 131064, allreduce: { measured: 3.274e-5 } } },
  input: { a: group(stepFields, 'The first.'), b: group(stepFields, 'The second.') },
  output: {
    slowerBySeconds: signed('How much longer the second takes; negative where it is faster.'),
    ratio: ratio('Second over first.'),
    aSeconds: seconds('The first step.', { also: ['a_step_s'] }),
    bSeconds: seconds('The second step.', { also: ['b_step_s'] }),
  },
  compute: ({ a, b }) => {
    const first = tensorParallelStep(tensorParallelInput(a), a.context).seconds
    const second = tensorParallelStep(tensorParallelInput(b), b.context).seconds
    return { slowerBySeconds: second - first, ratio: second / first, aSeconds: first, bSeconds: second }
  },
})

export const tpBreakEvenAllreduce = calculator({
  title: 'All-reduce time at which two group sizes tie',
  section: 'Tensor parallel step',
  formula: '(T(small) - T_local(large)) / R',
  validity: `${validity} The all-reduce of the larger group is what is sought.`,
  example: { small: example, large: { tp: 16, context: 131064 } },
  input: {
    small: group(stepFields, 'The group whose step is to be matched.'),
    large: group(stepFields, 'The group whose all-reduce is sought.'),
  },
  output: {
    allreduceSeconds: signed('One reduction of the larger group; negative where it cannot tie.'),
    smallStepSeconds: seconds('The step to match.'),
    largeLocalSeconds: seconds('What the larger group reads.'),
  },
  compute: ({ small, large }) => {
    const step = tensorParallelStep(tensorParallelInput(small), small.context).seconds
    const of = tensorParallelInput(large)
    if (of.reductions === 0) throw InputError.at('large.reductions', 'expected at least 1; found 0')
    const local = localStep(of, large.context).localSeconds
    return { allreduceSeconds: (step - local) / of.reductions, smallStepSeconds: step, largeLocalSeconds: local }
  },
})

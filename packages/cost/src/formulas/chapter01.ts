import { mathSeconds, moveSeconds, timeBounds } from '../rooflines/time.ts'
import { chapter, formula, number } from './formula.ts'

export const chapter01 = chapter(1, 'Rooflines', {
  R1: formula({
    title: 'time of arithmetic',
    text: 'T_math = FLOPs / C',
    variables: {
      flops: number('FLOP', 'operations'),
      peakFlopsPerSecond: number('FLOP/s', 'peak for the dtype of the arithmetic'),
    },
    outputs: { seconds: 's' },
    by: { mathSeconds },
    evaluate: (v) => ({ seconds: mathSeconds(v.flops, v.peakFlopsPerSecond) }),
  }),
  R2: formula({
    title: 'time of moving bytes',
    text: 'T_comms = bytes / W',
    variables: {
      bytes: number('B', 'bytes moved'),
      bytesPerSecond: number('B/s', 'bandwidth of the memory or link that moves them'),
    },
    outputs: { seconds: 's' },
    by: { moveSeconds },
    evaluate: (v) => ({ seconds: moveSeconds(v.bytes, v.bytesPerSecond) }),
  }),
  R3: formula({
    title: 'lower and upper bound of a time',
    text: 'T_lower = max(T_math, T_comms); T_upper = T_math + T_comms <= 2 T_lower',
    variables: { mathSeconds: number('s', 'time of the arithmetic'), moveSeconds: number('s', 'time of moving bytes') },
    outputs: { lowerSeconds: 's', upperSeconds: 's', bound: 'verdict' },
    valid: 'the lower bound assumes perfect overlap',
    by: { timeBounds },
    evaluate: (v) => {
      const { lowerSeconds, upperSeconds, bound } = timeBounds(v.mathSeconds, v.moveSeconds)
      return { lowerSeconds, upperSeconds, bound }
    },
  }),
})

import { paddedShape } from '../accelerators/index.ts'
import { expectedTime, utilisation } from '../profile/index.ts'
import { chapter, formula, number, numbers, optionalNumber, text } from './formula.ts'

export const chapter09 = chapter(9, 'Profiling', {
  P1: formula({
    title: 'padding of a tiled array',
    text: 'T(a,b): each of the last two dims up to a multiple of the tile',
    variables: { shape: numbers('1', 'dimensions'), tile: numbers('1', 'the outer tile', [8, 128]) },
    outputs: { padded: '1', elements: '1', expansion: '1' },
    valid: 'the inner (2,1) tile packs pairs of bf16 and pads nothing more',
    by: { paddedShape },
    evaluate: (v) => {
      const { shape, elements, expansion } = paddedShape(v.shape, v.tile)
      return { padded: shape, elements, expansion }
    },
  }),
  P2: formula({
    title: 'expected time of an operator',
    text: 'local FLOPs / core peak; shard bytes / link bandwidth; utilisation = expected/measured',
    variables: {
      hlo: text('notation', 'the HLO line, like "%f = bf16[8,16] fusion(bf16[8,4] %a, bf16[4,16] %b)"'),
      peakFlopsPerSecond: number('FLOP/s', 'peak of one core'),
      linkBytesPerSecond: optionalNumber('B/s', 'bandwidth a collective sees'),
      measuredSeconds: optionalNumber('s', 'measured time'),
    },
    outputs: { seconds: 's', flops: 'FLOP', bytes: 'B', groupSize: '1', utilisation: '1' },
    valid: 'replica_groups width = degree of parallelism',
    by: { expectedTime, utilisation },
    evaluate: ({ hlo, peakFlopsPerSecond, linkBytesPerSecond, measuredSeconds }) => {
      const link = linkBytesPerSecond === undefined ? {} : { linkBytesPerSecond }
      const { lowerSeconds, flops, bytes, operator } = expectedTime(hlo, { peakFlopsPerSecond, ...link })
      return {
        seconds: lowerSeconds,
        flops,
        bytes,
        groupSize: operator.groupSize,
        utilisation: measuredSeconds === undefined ? undefined : utilisation(lowerSeconds, measuredSeconds),
      }
    },
  }),
})

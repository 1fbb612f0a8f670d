import { hloBytes, localMatmul, moveSeconds, paddedShape, parseHlo, speedup } from '@windtunnel/cost'
import { testChapter } from './bookCases.ts'

testChapter(9, {
  'ch09-ffw-up-projection': (i) => {
    // The mock Transformer runs 4-way data and 2-way model parallel on its 8 cores.
    const { seconds, localTokens } = localMatmul({
      tokens: i.number('tokens'),
      inputDim: i.number('D'),
      outputDim: i.number('F'),
      dataWays: i.number('cores') / 2,
      modelWays: 2,
      peakFlopsPerSecond: i.number('core_peak'),
    })
    return { t: seconds, tokens_per_dp_shard: localTokens }
  },
  'ch09-reduce-scatter': (i) => {
    const { operands } = parseHlo('%rs = bf16[2,1024,8192] reduce-scatter(bf16[8,1024,8192] %fusion.31)')
    const { bytes } = hloBytes(operands[0]!)
    return { bytes, t: moveSeconds(bytes, i.number('bw')) }
  },
  'ch09-q-projection': (i) => {
    const { seconds, localOutputs } = localMatmul({
      tokens: i.number('tokens'),
      inputDim: i.number('D'),
      outputDim: i.number('heads') * i.number('head_dim'),
      modelWays: i.number('mp'),
      peakFlopsPerSecond: i.number('core_peak'),
    })
    return { local_out: localOutputs, t: seconds }
  },
  'ch09-tiling-padding': (i) => {
    const { shape, expansion } = paddedShape(i.numbers('shape'), i.numbers('tile'))
    return { padded: shape, expansion }
  },
  'ch09-q2-remeasured': (i) => ({ speedup: speedup(i.number('before'), i.number('after')) }),
})

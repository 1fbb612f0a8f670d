import { moveSeconds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { elementBytes, hbm, tp } from '../fields/card.ts'
import { bytes, degree, list, optional, quantity, ratio, seconds, tokens, withDefault } from '../fields/field.ts'

const numbers = (sentence: string, minimumItems = 1) => list(ratio('A value.'), sentence, { minimumItems })

/** Which of `parts` slices an index of `size` falls into, slices being as equal as can be. */
const sliceOf = (index: number, size: number, parts: number): number => Math.floor((index * parts) / size)

export const matmulSplit = calculator({
  title: 'A vector times a matrix, cut by columns and by rows',
  section: 'Splits',
  formula: 'columns: outputs concatenate; rows: each card has a partial sum of all outputs, which add up',
  validity: 'Slices as equal as the sizes allow.',
  example: {
    x: [2, 3],
    w: [
      [1, 4],
      [2, 5],
    ],
  },
  input: {
    x: numbers('Input vector.'),
    w: list(numbers('A row.'), 'Matrix, one row for each input.', { minimumItems: 1, also: ['W'] }),
    parts: withDefault(degree('Cards.', { also: ['tp', 'cards'], maximum: 4096 }), 2),
  },
  output: {
    full: numbers('The product.'),
    rowPart: list(numbers('Partial sums of one card.'), 'Rows cut: what each card adds.'),
    colPart: list(numbers('Outputs of one card.', 0), 'Columns cut: the outputs of each card.', {
      also: ['column_part'],
    }),
  },
  compute: ({ x, w, parts }) => {
    const columns = w[0]?.length ?? 0
    if (w.length !== x.length)
      throw InputError.at('w', `expected ${x.length} rows, one for each input; found ${w.length}`)
    if (w.some((row) => row.length !== columns)) throw InputError.at('w', 'expected rows of one length')
    const sums = (uses: (row: number) => boolean) =>
      Array.from({ length: columns }, (_, column) =>
        x.reduce((sum, value, row) => sum + (uses(row) ? value * w[row]![column]! : 0), 0),
      )
    const full = sums(() => true)
    const cards = Array.from({ length: parts }, (_, card) => card)
    return {
      full,
      rowPart: cards.map((card) => sums((row) => sliceOf(row, x.length, parts) === card)),
      colPart: cards.map((card) => full.filter((_, column) => sliceOf(column, columns, parts) === card)),
    }
  },
})

export const swigluSplit = calculator({
  title: 'A gated feed-forward over a tensor-parallel group',
  section: 'Splits',
  formula: '(6-3) gate and up by columns, down by rows: each card holds 3 h f / p and yields an m x h partial sum',
  validity: 'One AllReduce of the partial sums follows. f divides by p.',
  example: { hidden: 5120, ffn: 25600, tp: 4 },
  input: {
    hidden: degree('Hidden size.'),
    ffn: degree('Width of the feed-forward.'),
    weightBytes: elementBytes,
    tp,
    bandwidth: hbm,
    tokens: withDefault(tokens('Tokens at once.'), 1),
  },
  output: {
    totalBytes: bytes('All three matrices.'),
    perCardBytes: bytes('On one card.'),
    savedBytes: bytes('That one card need not read.'),
    readSeconds: seconds('Reading all with one card.'),
    perCardReadSeconds: seconds('Reading the share.'),
    savedSeconds: seconds('Saved.'),
    partialSumBytes: bytes('Partial sum that each card adds.'),
    ffnPerCard: ratio('Columns of the feed-forward on one card.'),
  },
  compute: (input) => {
    const totalBytes = 3 * input.hidden * input.ffn * input.weightBytes
    const perCardBytes = totalBytes / input.tp
    const savedBytes = totalBytes - perCardBytes
    return {
      totalBytes,
      perCardBytes,
      savedBytes,
      readSeconds: moveSeconds(totalBytes, input.bandwidth),
      perCardReadSeconds: moveSeconds(perCardBytes, input.bandwidth),
      savedSeconds: moveSeconds(savedBytes, input.bandwidth),
      partialSumBytes: input.tokens * input.hidden * input.weightBytes,
      ffnPerCard: input.ffn / input.tp,
    }
  },
})

export const meshMatmul2d = calculator({
  title: 'A matmul over a mesh of cards',
  section: 'Splits',
  formula:
    'gather inputs along rows: (c-1) MK b / rc; gather weights along columns: (r-1) KN b / rc; the longer counts',
  validity: 'Both directions have links of their own, equally fast.',
  example: { m: 8192, k: 4096, n: 12288, rows: 4, cols: 4 },
  input: {
    m: degree('M, rows of the input.', { also: ['M'] }),
    k: degree('K, contracted.', { also: ['K'] }),
    n: degree('N, columns of the weights.', { also: ['N'] }),
    dtypeBytes: elementBytes,
    rows: degree('r, rows of cards.'),
    cols: degree('c, columns of cards.'),
    bandwidth: optional(quantity('B/s', 'One direction of one card along one axis.', { above: 0 })),
  },
  output: {
    inputShard: bytes('Input on one card.'),
    weightShard: bytes('Weights on one card.'),
    rowGather: bytes('Sent by one card to gather inputs along its row.'),
    colGather: bytes('Sent by one card to gather weights along its column.'),
    bottleneck: bytes('The longer of both.'),
    timeSeconds: optional(seconds('Sending that.')),
  },
  compute: (input) => {
    const cards = input.rows * input.cols
    const inputShard = (input.m * input.k * input.dtypeBytes) / cards
    const weightShard = (input.k * input.n * input.dtypeBytes) / cards
    const rowGather = (input.cols - 1) * inputShard
    const colGather = (input.rows - 1) * weightShard
    const bottleneck = Math.max(rowGather, colGather)
    const timeSeconds = input.bandwidth === undefined ? undefined : bottleneck / input.bandwidth
    return { inputShard, weightShard, rowGather, colGather, bottleneck, timeSeconds }
  },
})

export const activationBytes = calculator({
  title: 'Bytes of activations',
  section: 'Splits',
  formula: 'm h b; with sequence parallelism m h b / p between the gather and the scatter',
  validity: 'The share holds only where positions stay cut; matmuls see all positions.',
  example: { tokens: 8192, hidden: 4096 },
  input: {
    tokens: tokens('Tokens.'),
    hidden: degree('Hidden size.'),
    dtypeBytes: elementBytes,
    tp: withDefault(degree('Cards that share the positions.', { also: ['sp', 'cards', 'shards', 'parts'] }), 1),
  },
  output: {
    bytes: bytes('The whole tensor.'),
    perCard: bytes('One share of the positions.', { also: ['shard_bytes', 'bytes_per_card', 'per_card_bytes'] }),
    replicatedBytes: bytes('All cards together, each with the whole tensor.', { also: ['total_replicated'] }),
  },
  compute: (input) => {
    const all = input.tokens * input.hidden * input.dtypeBytes
    return { bytes: all, perCard: all / input.tp, replicatedBytes: all * input.tp }
  },
})

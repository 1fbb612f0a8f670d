import { count, group, withDefault } from './options.ts'

const ways = (sentence: string) => withDefault(count({ sentence, unit: 'accelerators', minimum: 1, maximum: 4096 }), 1)

/** How one replica is spread over its accelerators: tp x pp x dp x sp of them, with the experts laid over tp x dp. */
export const layout = group(
  {
    tp: ways('Tensor parallel: every matrix is split over this many accelerators.'),
    pp: ways('Pipeline parallel: the layers are split into this many stages.'),
    dp: ways('Data-parallel attention: this many attention groups share the experts of one replica.'),
    ep: ways('Expert parallel: the experts are spread over this many of the tp x dp accelerators.'),
    sp: ways('Sequence (context) parallel: a prompt is split over this many accelerators during prefill.'),
  },
  { sentence: 'How one replica is spread over accelerators; it uses tp x pp x dp x sp of them.' },
)

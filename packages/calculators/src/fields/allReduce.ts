import type { AllReduceModel } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { InputError } from '../edge/inputError.ts'
import { alpha, link } from './card.ts'
import { bytes, choice, degree, group, list, optional, seconds, type Values, withDefault } from './field.ts'
import { REDUCTION_BYTES } from './source.ts'

const fields = {
  algorithm: optional(
    choice(
      ['ring', 'tree', 'measured', 'table'],
      'How its time is found: a ring (6-9), a tree (6-10), one measured time, or a table of measurements; what is given decides where left out.',
    ),
  ),
  bytes: withDefault(bytes('The vector that each card holds.'), REDUCTION_BYTES),
  alpha,
  bandwidth: link,
  measured: optional(seconds('Measured time of one AllReduce.')),
  table: optional(
    list(
      group(
        {
          cards: degree('Cards of the measurement.'),
          bytes: bytes('Vector of the measurement.'),
          seconds: seconds('Time of one AllReduce.'),
        },
        'One measurement.',
      ),
      'Measurements; between two sizes for the same cards the time is interpolated.',
      { minimumItems: 1 },
    ),
  ),
}

/** How long one AllReduce takes: ring, tree, measured or table. A ring of NVLink where left out. */
export const allReduce = withDefault(group(fields, 'How long one AllReduce takes.'), {})

/** The model that the inputs stand for. Throws InputError where the algorithm lacks what it needs. */
export function allReduceModel(of: Values<typeof fields>): AllReduceModel {
  const kind = of.algorithm ?? (of.table !== undefined ? 'table' : of.measured !== undefined ? 'measured' : 'ring')
  if (kind === 'measured') {
    if (of.measured === undefined) throw InputError.at('allreduce.measured', 'missing; add the measured time, in s')
    return { kind, seconds: of.measured }
  }
  if (kind === 'table') {
    if (of.table === undefined) throw InputError.at('allreduce.table', 'missing; add rows of cards, bytes and seconds')
    return { kind, bytes: of.bytes, rows: of.table }
  }
  return { kind, bytes: of.bytes, link: { alphaSeconds: of.alpha, bytesPerSecond: of.bandwidth } }
}

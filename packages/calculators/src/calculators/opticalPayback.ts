import { ringAllReduce } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { calculator } from '../calculator.ts'
import { bandwidth, bytes, count, degree, optional, quantity, seconds, withDefault } from '../fields/field.ts'
import { ICI } from '../fields/source.ts'

export const opticalPayback = calculator({
  title: 'Calls until switching light paths pays',
  section: 'Topology',
  formula: 'T = 2(n-1) M / n / (links x rate), before and after; calls = ceil(switch / saved)',
  validity: 'Ring all-reduce, start-up left out.',
  example: { n: 8, bytes: 8388608, linksBefore: 1, linksAfter: 3, switchSeconds: 0.001 },
  input: {
    n: degree('Cards of the ring.'),
    bytes: bytes('M, the vector that each card holds.'),
    link: withDefault(bandwidth('One link, one direction.'), ICI),
    linksBefore: degree('Links of a card for the ring, before.'),
    linksAfter: degree('Links after.'),
    switchSeconds: seconds('Switching the paths.', { also: ['switch'] }),
  },
  output: {
    sent: bytes('Sent by one card.', { also: ['sent_bytes'] }),
    beforeSeconds: seconds('One all-reduce before.'),
    afterSeconds: seconds('One all-reduce after.'),
    savedSeconds: quantity('s', 'Saved by each.', { also: ['saving_s', 'saved'] }),
    calls: optional(count('All-reduces until it pays; none where it saves nothing.')),
  },
  compute: (input) => {
    const over = (links: number) =>
      ringAllReduce(input.n, input.bytes, { alphaSeconds: 0, bytesPerSecond: links * input.link })
    const before = over(input.linksBefore)
    const after = over(input.linksAfter)
    const saved = before.seconds - after.seconds
    return {
      sent: before.sentBytes,
      beforeSeconds: before.seconds,
      afterSeconds: after.seconds,
      savedSeconds: saved,
      calls: saved > 0 ? Math.ceil(input.switchSeconds / saved) : undefined,
    }
  },
})

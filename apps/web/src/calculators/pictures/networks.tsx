import { axisTick } from '../axisTick.ts'
import { evaluate, numberOf, numbersOf } from '../evaluate.ts'
import type { Typed } from '../inputs.ts'
import { Bars } from './Bars.tsx'
import { Curves } from './Curves.tsx'
import type { Picture } from './picture.ts'

const sides = [2, 3, 4, 5, 6, 7, 8, 10, 12, 16]

/** The fields that a torus and a switch network share, so that both carry the same traffic. */
const shared = ({ link, bytesPerCard, hopLatency }: Typed): Typed => ({
  ...(link === undefined ? {} : { link }),
  ...(bytesPerCard === undefined ? {} : { bytesPerCard }),
  ...(hopLatency === undefined ? {} : { hopLatency }),
})

/** A uniform all-to-all over the number of cards, on a torus and through switches. */
export const torusAgainstSwitches: Picture = ({ typed, results }) => {
  const same = shared(typed)
  const { ports, radix } = typed
  const switches = { ...same, ...(ports === undefined ? {} : { ports }), ...(radix === undefined ? {} : { radix }) }
  const at = numberOf(results, 'chips')
  const here = typed['cards'] === undefined ? at : Number(typed['cards'])
  return (
    <Curves
      title="Torus and switch traffic"
      unit="a uniform all-to-all, same links and bytes a card"
      xs={sides.map((side) => side ** 3)}
      xLabel="cards"
      yUnit="s"
      log
      curves={[
        {
          label: 'torus',
          colour: 'var(--decode)',
          at: (cards) =>
            numberOf(evaluate('torus', { ...same, k: String(Math.round(Math.cbrt(cards))) }), 'a2aSeconds'),
        },
        {
          label: 'switches',
          colour: 'var(--prefill)',
          at: (cards) => numberOf(evaluate('switchNet', { ...switches, cards: String(cards) }), 'a2aSeconds'),
        },
      ]}
      lines={here === undefined ? [] : [{ axis: 'x', value: here, label: 'typed', colour: 'var(--faint)' }]}
      caption="On a torus an average message crosses more links as the torus grows; a non-blocking switch network keeps its time, up to the cards that two levels hold."
    />
  )
}

/** Bytes that the links of a ring carry in each round. */
export const linkLoadByRound: Picture = ({ results }) => {
  const total = numbersOf(results, 'maxLink')
  const hops = numbersOf(results, 'hops')
  const bytes = axisTick('B')
  return (
    <Bars
      title="Load of the fullest link"
      unit="by round"
      rows={total.map((load, round) => ({
        label: `round ${round}`,
        parts: [{ name: 'bytes', value: load, colour: 'var(--transfer)' }],
        note: `${bytes(load)}B over ${hops[round] ?? '–'} hops`,
      }))}
      show={(value) => `${bytes(value)}B`}
    />
  )
}

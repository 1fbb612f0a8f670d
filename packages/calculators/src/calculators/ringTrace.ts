import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { count, degree, list, optional, quantity } from '../fields/field.ts'

/** The digits of up to sixteen cards stay exact in one number. */
const MOST_CARDS = 16

export const ringTrace = calculator({
  title: 'A block on its way round a ring',
  section: 'Collectives',
  formula: 'ReduceScatter: in round r block b is on card (b + r) mod n, with the sum of cards b ... b + r',
  validity:
    'After n-1 rounds block b is whole, on card (b-1) mod n. Card c counts as 10^c, so that each digit is a card.',
  example: { n: 4, block: 0 },
  input: {
    n: degree('Cards.', { maximum: MOST_CARDS }),
    block: count('Block.'),
    values: optional(list(quantity('value', 'A part.'), 'What each card adds, in place of 10^card.')),
  },
  output: {
    holder: list(count('A card.'), 'Card that holds the partial sum after each round, from round 0.'),
    value: list(quantity('value', 'A partial sum.'), 'That sum.'),
    owner: count('Card where the block ends.', { also: ['final_holder'] }),
    rounds: count('Rounds.'),
  },
  compute: ({ n, block, values }) => {
    if (block >= n) throw InputError.at('block', `expected a block of the ring, 0 to ${n - 1}; found ${block}`)
    const part = (card: number) => values?.[card] ?? 10 ** card
    const holder = Array.from({ length: n }, (_, round) => (block + round) % n)
    let sum = 0
    const value = holder.map((card) => {
      sum += part(card)
      return sum
    })
    return { holder, value, owner: (block + n - 1) % n, rounds: n - 1 }
  },
})

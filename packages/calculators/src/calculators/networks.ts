import { torusDiameter } from '@windtunnel/cost/topology/torus'
import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { bandwidth, bytes, count, degree, optional, quantity, ratio, seconds, withDefault } from '../fields/field.ts'
import { ICI } from '../fields/source.ts'

const latencyFields = {
  link: withDefault(bandwidth('One link or port, one direction.'), ICI),
  bytesPerCard: withDefault(bytes('M, what each card sends to all others together.', { also: ['bytes'] }), 33554432),
  hopLatency: withDefault(seconds('Added by each chip passed through.'), 2e-7),
}

export const torus = calculator({
  title: 'A torus of k x k x k chips',
  section: 'Topology',
  formula:
    'k^3 chips, 3 k^3 links, bisection 2 k^2, farthest 3 floor(k/2), mean hops 3k/4; all-to-all load of a link M hops / 6',
  validity:
    'Each axis closes into a ring; traffic uniform and spread evenly; mean counts a chip to itself. Bisection for even k.',
  example: { k: 4 },
  input: { k: degree('Chips along each axis.', { minimum: 2 }), ...latencyFields },
  output: {
    chips: count('Chips.', { also: ['cards'] }),
    links: count('Links.'),
    bisectionLinks: optional(count('Links across the middle.', { also: ['bisection'] })),
    bisectionPerChip: optional(ratio('Of those for each chip.')),
    bisectionBandwidth: optional(quantity('B/s', 'Across the middle, one direction.')),
    maxHops: count('Links to the farthest chip.'),
    transitChips: count('Chips in between.'),
    transitSeconds: seconds('Passing those.', { also: ['latency_s', 'hop_latency_s', 'max_latency_s'] }),
    meanHops: ratio('Links to a chip, on average.', { also: ['average_hops', 'avg_hops'] }),
    linkLoad: bytes('On each link and direction, in a uniform all-to-all.', {
      also: ['link_bytes', 'a2a_link_load', 'link_load_bytes'],
    }),
    a2aSeconds: seconds('That all-to-all, by its link load.'),
  },
  compute: ({ k, link, bytesPerCard, hopLatency }) => {
    const chips = k ** 3
    const maxHops = torusDiameter({ shape: [k, k, k], wraps: [true, true, true] })
    const meanHops = 3 * (k % 2 === 0 ? k / 4 : (k * k - 1) / (4 * k))
    const linkLoad = (bytesPerCard * meanHops) / 6
    const bisectionLinks = k % 2 === 0 ? 2 * k * k : undefined
    return {
      chips,
      links: 3 * chips,
      bisectionLinks,
      bisectionPerChip: bisectionLinks === undefined ? undefined : bisectionLinks / chips,
      bisectionBandwidth: bisectionLinks === undefined ? undefined : bisectionLinks * link,
      maxHops,
      transitChips: maxHops - 1,
      transitSeconds: (maxHops - 1) * hopLatency,
      meanHops,
      linkLoad,
      a2aSeconds: linkLoad / link,
    }
  },
})

export const switchNet = calculator({
  title: 'A non-blocking switch network',
  section: 'Topology',
  formula: 'one level up to the radix, else leaves with radix/2 down and spines; load of a port M / ports',
  validity: 'One plane for each port of a card. Two levels at most: radix^2 / 2 cards.',
  example: { cards: 512 },
  input: {
    cards: degree('Cards.', { also: ['n'] }),
    ports: withDefault(degree('Ports of a card, each on a plane of its own.'), 6),
    radix: withDefault(degree('Ports of a switch chip.', { minimum: 2 }), 64),
    ...latencyFields,
  },
  output: {
    levels: count('Levels of switches.'),
    chips: count('Switch chips.', { also: ['switch_chips', 'switches'] }),
    leafChips: count('Of those at the cards.', { also: ['leaves', 'leaf'] }),
    spineChips: count('Of those above.', { also: ['spines', 'spine'] }),
    links: count('Links, those between switches included.'),
    transitChips: count('Chips between the farthest cards.'),
    transitSeconds: seconds('Passing those.', { also: ['latency_s', 'hop_latency_s', 'max_latency_s'] }),
    maxHops: count('Links between the farthest cards.'),
    portLoad: bytes('On each port, in a uniform all-to-all.', { also: ['port_bytes', 'link_load'] }),
    a2aSeconds: seconds('That all-to-all, by its port load.'),
  },
  compute: ({ cards, ports, radix, link, bytesPerCard, hopLatency }) => {
    const down = Math.floor(radix / 2)
    const levels = cards <= radix ? 1 : 2
    const leaves = levels === 1 ? 1 : Math.ceil(cards / down)
    const spines = levels === 1 ? 0 : Math.ceil((leaves * down) / radix)
    if (leaves > radix)
      throw InputError.at(
        'cards',
        `expected a whole number, at most ${radix * down} for two levels of radix ${radix}; found ${cards}`,
      )
    const transitChips = levels === 1 ? 1 : 3
    const portLoad = bytesPerCard / ports
    return {
      levels,
      chips: ports * (leaves + spines),
      leafChips: ports * leaves,
      spineChips: ports * spines,
      links: ports * (cards + (levels === 1 ? 0 : leaves * down)),
      transitChips,
      transitSeconds: transitChips * hopLatency,
      maxHops: transitChips + 1,
      portLoad,
      a2aSeconds: portLoad / link,
    }
  },
})

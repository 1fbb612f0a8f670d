import { ringAllReduce } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { torusDiameter } from '@windtunnel/cost/topology/torus'
import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import {
  bandwidth,
  bytes,
  choice,
  count,
  degree,
  list,
  optional,
  quantity,
  ratio,
  seconds,
  table,
  text,
  withDefault,
} from '../fields/field.ts'
import { crossingOutputs, crossings, edgesOf, type Moved } from './ringEdges.ts'

/** TPU v4: one direction of one ICI link. */
const ICI = 50e9

export const fullMesh = calculator({
  title: 'A link between every pair',
  section: 'Topology',
  formula: 'N (N-1) / 2 links, N-1 ports a card',
  validity: 'One link a pair.',
  example: { n: 384 },
  input: { n: degree('Cards.', { also: ['cards'] }) },
  output: { links: count('Links.'), portsPerCard: count('Ports of a card.', { also: ['ports'] }) },
  compute: ({ n }) => ({ links: (n * (n - 1)) / 2, portsPerCard: n - 1 }),
})

export const switchRadix = calculator({
  title: 'Ports of a leaf switch',
  section: 'Topology',
  formula: 'down + up = radix; share of a down port = up x port / down',
  validity: 'All down ports send up at once.',
  example: { down: 48, up: 16, port: 25e9 },
  input: {
    down: degree('Ports to cards.'),
    up: degree('Ports to spines.'),
    port: withDefault(bandwidth('One port, one direction.'), 25e9),
  },
  output: {
    upBandwidth: quantity('B/s', 'All ports up.', { minimum: 0 }),
    downBandwidth: quantity('B/s', 'All ports down.', { minimum: 0 }),
    perDownPort: quantity('B/s', 'Up, for each port down.', { minimum: 0 }),
    oversubscription: ratio('Down over up.'),
    radix: count('All ports.'),
  },
  compute: ({ down, up, port }) => ({
    upBandwidth: up * port,
    downBandwidth: down * port,
    perDownPort: (up * port) / down,
    oversubscription: down / up,
    radix: down + up,
  }),
})

export const cutTime = calculator({
  title: 'Least time across a cut',
  section: 'Topology',
  formula: 'V_AB / B_AB',
  validity: 'A lower bound: everything else may take longer.',
  example: { bytes: 1e9, bandwidth: 8e11 },
  input: {
    bytes: bytes('Bytes that must cross, one direction.'),
    bandwidth: bandwidth('All links of the cut, that direction.'),
  },
  output: { timeSeconds: seconds('At least.') },
  compute: (input) => ({ timeSeconds: input.bytes / input.bandwidth }),
})

export const numaStaging = calculator({
  title: 'Ring traffic through buffers of two sockets',
  section: 'Topology',
  formula: 'each ring edge writes into and reads from a buffer; both count where they leave their socket',
  validity: 'Every edge carries the same bytes. `sender` or `receiver` puts each buffer next to that card.',
  example: { node: { 0: 'A', 1: 'A', 2: 'B', 3: 'B' }, order: ['0', '1', '2', '3'], buffer: 'A', totalBytes: 50331648 },
  input: {
    node: table(text('A socket.'), 'Socket of each card.'),
    order: list(text('A card.'), 'Cards in the order of the ring.', { minimumItems: 2 }),
    buffer: withDefault(text('A socket for all buffers, or `sender` (also `local`) or `receiver`.'), 'sender'),
    totalBytes: bytes('Bytes of all edges.', { also: ['bytes'] }),
  },
  output: {
    ...crossingOutputs,
    perEdge: bytes('One edge.'),
    pcieBytes: bytes('Written to and read from buffers by all cards.'),
  },
  compute: ({ node, order, buffer, totalBytes }) => {
    const edges = edgesOf(order, node, 'node')
    const perEdge = totalBytes / edges.length
    const sockets = Object.values(node)
    const moved = edges.flatMap(({ from, to }): Moved[] => {
      const at = bufferSocket(buffer, from, to, sockets)
      return [
        { from, to: at, bytes: perEdge },
        { from: at, to, bytes: perEdge },
      ]
    })
    return { ...crossings(moved, sockets), perEdge, pcieBytes: 2 * totalBytes }
  },
})

const nearSender = ['sender', 'local', 'near', 'source', 'src']
const nearReceiver = ['receiver', 'destination', 'dst', 'remote']

function bufferSocket(buffer: string, from: string, to: string, sockets: readonly string[]): string {
  if (sockets.includes(buffer)) return buffer
  if (nearSender.includes(buffer)) return from
  if (nearReceiver.includes(buffer)) return to
  const names = [...new Set(sockets)].join(', ')
  throw InputError.at('buffer', `expected one of ${names}, sender, receiver; found ${JSON.stringify(buffer)}`)
}

export const ringLinkLoad = calculator({
  title: 'Load on the links of a ring',
  section: 'Topology',
  formula:
    'round r sends M / 2^(r+1) to a peer: recursive rank XOR 2^r; Swing rank +- sum (-2)^k; the busiest link counts',
  validity:
    'A ring of both directions, shortest way round; at half a ring the way up. ReduceScatter, one link a direction.',
  example: { n: 16, bytes: 8388608, rounds: 3, link: ICI, algorithm: 'swing' },
  input: {
    n: degree('Cards of the physical ring, a power of two.'),
    bytes: bytes('M, the vector that each card holds.'),
    rounds: degree('Rounds to look at, at most log2 n.'),
    link: withDefault(bandwidth('One link, one direction.'), ICI),
    algorithm: withDefault(choice(['recursive', 'swing'], 'Who talks to whom.'), 'recursive'),
  },
  output: {
    hops: list(count('Links.'), 'Links that a message crosses, by round.'),
    sent: list(bytes('Bytes.'), 'Bytes that one card sends, by round.', { also: ['size'] }),
    maxLink: list(bytes('Bytes.'), 'Bytes on the busiest link of one direction, by round.'),
    total: list(bytes('Bytes.'), 'Bytes over all links, by round.'),
    timeSeconds: seconds('Busiest links of all rounds.'),
    roundSeconds: list(seconds('A round.'), 'The busiest link, by round.'),
  },
  compute: ({ n, bytes, rounds, link, algorithm }) => {
    if (2 ** rounds > n)
      throw InputError.at('rounds', `expected a whole number, at most log2 of ${n} cards; found ${rounds}`)
    if (!Number.isInteger(Math.log2(n))) throw InputError.at('n', `expected a power of two; found ${n}`)
    const all = Array.from({ length: rounds }, (_, round) =>
      roundLoad(n, bytes / 2 ** (round + 1), peerOf(algorithm, round)),
    )
    return {
      hops: all.map((one) => one.hops),
      sent: all.map((one) => one.sent),
      maxLink: all.map((one) => one.maxLink),
      total: all.map((one) => one.total),
      timeSeconds: all.reduce((sum, one) => sum + one.maxLink / link, 0),
      roundSeconds: all.map((one) => one.maxLink / link),
    }
  },
})

function peerOf(algorithm: 'recursive' | 'swing', round: number): (rank: number) => number {
  if (algorithm === 'recursive') return (rank) => rank ^ (2 ** round)
  const offset = (1 - (-2) ** (round + 1)) / 3
  return (rank) => rank + (rank % 2 === 0 ? offset : -offset)
}

function roundLoad(n: number, sent: number, peer: (rank: number) => number) {
  const up = Array.from({ length: n }, () => 0)
  const down = Array.from({ length: n }, () => 0)
  let hops = 0
  let total = 0
  for (let rank = 0; rank < n; rank += 1) {
    const ahead = (((peer(rank) - rank) % n) + n) % n
    const forward = ahead <= n - ahead
    const length = forward ? ahead : n - ahead
    hops = Math.max(hops, length)
    total += length * sent
    const links = forward ? up : down
    for (let hop = 0; hop < length; hop += 1) links[(forward ? rank + hop : rank - hop - 1 + n) % n]! += sent
  }
  return { hops, sent, maxLink: Math.max(...up, ...down), total }
}

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

export const laneBandwidth = calculator({
  title: 'Bandwidth of lanes',
  section: 'Topology',
  formula: 'lanes x rate / 8, one way; twice that both ways',
  validity: 'Line rate, no coding or framing.',
  example: { lanes: 72, bitsPerSecond: 112e9 },
  input: {
    lanes: degree('Lanes.'),
    bitsPerSecond: quantity('bit/s', 'Rate of one lane.', { above: 0 }),
  },
  output: {
    oneWay: quantity('B/s', 'One direction.', { minimum: 0 }),
    bothWays: quantity('B/s', 'Both directions together.', { minimum: 0 }),
  },
  compute: ({ lanes, bitsPerSecond }) => {
    const oneWay = (lanes * bitsPerSecond) / 8
    return { oneWay, bothWays: 2 * oneWay }
  },
})

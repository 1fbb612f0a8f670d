import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { bandwidth, bytes, choice, count, degree, list, seconds, table, text, withDefault } from '../fields/field.ts'
import { ICI } from '../fields/source.ts'
import { crossingOutputs, crossings, edgesOf, type Moved } from './ringEdges.ts'

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
    n: degree('Cards of the physical ring, a power of two.', { maximum: 4096 }),
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

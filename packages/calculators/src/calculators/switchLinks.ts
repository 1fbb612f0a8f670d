import { calculator } from '../calculator.ts'
import { bandwidth, bytes, count, degree, quantity, ratio, seconds, withDefault } from '../fields/field.ts'

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

import { calculator } from '../calculator.ts'
import { bytes, count, degree, flag, quantity, ratio, seconds, withDefault } from '../fields/field.ts'

/** State of RoCE reliable connections and of UB endpoints and channels, bytes. */
const PAIR_CONNECTION = 512
const PAIR_ENDPOINT = 32
const JETTY_AND_SEGMENT = 52
const CHANNEL = 56
const DIRECTORY_TAG = 8

export const connectionState = calculator({
  title: 'State that connections keep on a network card',
  section: 'Connections',
  formula: 'pairs 512 A^2 (H-1) + 32 A; endpoints and channels 52 A + 56 (H-1); directory W ((H-1)/8 + 8)',
  validity:
    'Every endpoint may talk to every other. The directory keeps one bit for each peer and an 8-byte tag a line.',
  example: { endpoints: 8, hosts: 192 },
  input: {
    endpoints: withDefault(degree('A, endpoints of a host.'), 8),
    hosts: degree('H, hosts.'),
    cache: withDefault(bytes('State that the card keeps on chip.'), 262144),
    lines: withDefault(count('W, cache lines that a directory tracks.'), 1048576),
  },
  output: {
    pair: bytes('A connection for each pair of endpoints.'),
    ub: bytes('Endpoints and channels.'),
    directory: bytes('Directory of a coherent interconnect.'),
    pairFits: flag('Whether pairs fit on chip.'),
    ubFits: flag('Whether endpoints and channels fit.'),
    directoryFits: flag('Whether the directory fits.'),
    pairOverCache: ratio('Pairs over the cache.'),
    ubOverCache: ratio('Endpoints and channels over the cache.'),
    directoryOverCache: ratio('Directory over the cache.'),
    maxHostsPair: count('Hosts whose pairs fit.'),
    maxHostsUb: count('Hosts whose endpoints and channels fit.'),
  },
  compute: ({ endpoints, hosts, cache, lines }) => {
    const perPeer = PAIR_CONNECTION * endpoints * endpoints
    const pair = perPeer * (hosts - 1) + PAIR_ENDPOINT * endpoints
    const ub = JETTY_AND_SEGMENT * endpoints + CHANNEL * (hosts - 1)
    const directory = lines * ((hosts - 1) / 8 + DIRECTORY_TAG)
    const over = (state: number) => (cache === 0 ? 0 : state / cache)
    const most = (own: number, peer: number) => (own > cache ? 0 : Math.floor((cache - own) / peer) + 1)
    return {
      pair,
      ub,
      directory,
      pairFits: pair <= cache,
      ubFits: ub <= cache,
      directoryFits: directory <= cache,
      pairOverCache: over(pair),
      ubOverCache: over(ub),
      directoryOverCache: over(directory),
      maxHostsPair: most(PAIR_ENDPOINT * endpoints, perPeer),
      maxHostsUb: most(JETTY_AND_SEGMENT * endpoints, CHANNEL),
    }
  },
})

/** Making a pair: creating it and three changes of state. */
const PAIR_CALLS = 4

export const connectionSetup = calculator({
  title: 'Time to set connections up',
  section: 'Connections',
  formula: 'pairs N M (4 s + r) / c; endpoints and channels (N s + M (s + r)) / c',
  validity: 'Control operations run perfectly in parallel.',
  example: { local: 1024, remote: 1024 },
  input: {
    syscall: withDefault(seconds('s, one system call.'), 5e-6),
    rtt: withDefault(seconds('r, one round trip out of band.'), 5e-4),
    cores: withDefault(degree('c, cores.'), 32),
    local: degree('N, local endpoints.'),
    remote: degree('M, remote endpoints.'),
  },
  output: {
    connections: count('Pairs.'),
    perPairSeconds: seconds('One pair.', { also: ['one_pair_s', 'per_connection_s', 'one_s', 'single_s'] }),
    pairSerialSeconds: seconds('All pairs, one core.'),
    pairSeconds: seconds('All pairs.'),
    objectsUb: count('Endpoints and channels.'),
    ubSerialSeconds: seconds('Those, one core.'),
    ubSeconds: seconds('Those.'),
    ratio: ratio('Pairs over endpoints and channels.', { also: ['speedup'] }),
  },
  compute: ({ syscall, rtt, cores, local, remote }) => {
    const perPairSeconds = PAIR_CALLS * syscall + rtt
    const pairSerialSeconds = local * remote * perPairSeconds
    const ubSerialSeconds = local * syscall + remote * (syscall + rtt)
    return {
      connections: local * remote,
      perPairSeconds,
      pairSerialSeconds,
      pairSeconds: pairSerialSeconds / cores,
      objectsUb: local + remote,
      ubSerialSeconds,
      ubSeconds: ubSerialSeconds / cores,
      ratio: ubSerialSeconds === 0 ? 0 : pairSerialSeconds / ubSerialSeconds,
    }
  },
})

/** InfiniBand one way, measured by MSCCL++, there and back. */
const ROUND_TRIP = 7.52e-6

export const inflightWindow = calculator({
  title: 'Bandwidth of reads in flight',
  section: 'Remote memory',
  formula: '(6-12) B = min(B_path, u q / L); u_min = ceil(B_path L / q)',
  validity: 'Reads of one size; a new one starts as one ends.',
  example: { bytes: 20e9, inflight: 128 },
  input: {
    transaction: withDefault(quantity('B', 'q, one read.', { above: 0 }), 256),
    rtt: withDefault(quantity('s', 'L, round trip of one read.', { above: 0 }), ROUND_TRIP),
    path: withDefault(quantity('B/s', 'Bandwidth of the path.', { above: 0 }), 50e9),
    bytes: withDefault(bytes('Object to read whole.'), 0),
    inflight: degree('u, reads in flight.'),
  },
  output: {
    window: quantity('B/s', 'What the reads in flight allow.', { minimum: 0 }),
    usable: quantity('B/s', 'The lesser of that and the path.', { minimum: 0 }),
    minInflight: count('Reads in flight that fill the path.', {
      also: ['u_min', 'required', 'needed', 'required_inflight', 'inflight_min'],
    }),
    inflightBytes: bytes('Bytes in flight.'),
    readSeconds: seconds('Reading the object once.'),
    readsPerSecond: quantity('1/s', 'Reads of the object, one after another; 0 without an object.', { minimum: 0 }),
    windowBound: flag('Whether the reads in flight are what limits.'),
  },
  compute: ({ transaction, rtt, path, bytes, inflight }) => {
    const window = (inflight * transaction) / rtt
    const usable = Math.min(path, window)
    const readSeconds = bytes / usable
    return {
      window,
      usable,
      minInflight: Math.ceil((path * rtt) / transaction - 1e-9),
      inflightBytes: inflight * transaction,
      readSeconds,
      readsPerSecond: readSeconds === 0 ? 0 : 1 / readSeconds,
      windowBound: window < path,
    }
  },
})

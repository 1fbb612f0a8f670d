/** The bench of the source: Qwen3-32B, four sessions of 131,064 tokens, eight steps, on one HGX H100. */
const bench = {
  model: 'qwen3-32b',
  card: 'h100-sxm',
  cards: 8,
  sessions: 4,
  output: 8,
  context: 131064,
  deadline: 0.13,
  fraction: 0.75,
  search: ['tp'],
} as const

const failure = { at: 0.02, stall: 0.04, semantics: 'redo' } as const

/** Questions with known answers, by name. */
export const planPresets = {
  bench,
  'bench-100ms': { ...bench, deadline: 0.1 },
  'bench-170ms': { ...bench, deadline: 0.17 },
  'bench-failure': { ...bench, failure },
  'bench-32k': { ...bench, context: 32760 },
  'one-session': { ...bench, sessions: 1, fraction: 1, deadline: 0.05 },
  'two-servers': { ...bench, cards: 16, sessions: 1, fraction: 1, deadline: 0.05, farAllreduce: 3.274e-5 },
} as const

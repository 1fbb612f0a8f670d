import { describe, expect, it } from 'vitest'
import { disaggregated, type JetstreamOptions } from '../../src/index.ts'
import { type Line, plainCost, start } from '../reference/timeline.ts'

/** Chunks of 16 tokens at 0.25 s; a token is 1000 bytes: two prompts of 32 tokens fit on the device, three on the host. */
const options: JetstreamOptions = {
  prefillEngines: 1,
  generateEngines: 1,
  maxSequences: 8,
  blockSize: 16,
  totalBlocks: 100,
  maxModelLength: 128,
  prefixCache: true,
  buckets: [16, 32, 64],
  maxPrefillLength: 100,
  chunkTokens: 16,
  prefillBacklog: 0,
  transferBacklog: 1,
  generateBacklog: 1,
  detokeniseBacklog: 8,
  target: 'minBacklog',
  slotCost: 'every',
  strict: false,
  kvBytesPerToken: 1000,
  transferBytesPerSecond: Number.POSITIVE_INFINITY,
  transferLatencySeconds: 0,
  insertBytesPerSecond: Number.POSITIVE_INFINITY,
  detokeniseSecondsPerStep: 0,
  detokeniseSecondsPerSequence: 0,
  prefixTrie: {
    deviceBytes: 64e3,
    hostBytes: 96e3,
    hostBytesPerSecond: 64e3,
    copyBytesPerSecond: Number.POSITIVE_INFINITY,
  },
}

const [A, B, C, D, E] = [1, 2, 3, 4, 5] as const

type Prompt = Omit<Line, 'at' | 'output'>

/** One request every ten seconds, of one output token. */
function run(prompts: readonly Prompt[], changes: Partial<JetstreamOptions> = {}) {
  const lines = prompts.map((prompt, i) => ({ at: 10 * i, output: 1, ...prompt }))
  const started = start(lines, plainCost(1, 1 / 64), (context) =>
    disaggregated.create(context, { ...options, ...changes }),
  )
  started.runTo(1000)
  const { hits, firstAt } = started.timeline
  return { ...started, hits, ttft: firstAt.map((at, i) => at - 10 * i) }
}

describe("JetStream's prefix cache", () => {
  it('finds whole chunks, and always computes a token', () => {
    const { hits, ttft } = run(
      [
        { input: 48, text: [[A, 48]] },
        // 40 tokens in common: two chunks; one chunk and the rest are left: 20 tokens in two passes.
        {
          input: 52,
          text: [
            [A, 48],
            [B, 4],
          ],
        },
        // All of its 48 tokens are there: two chunks, the third is computed.
        { input: 48, text: [[A, 48]] },
        // 20 tokens of its own: nothing.
        { input: 20 },
        // Shorter than a chunk: padded to the bucket of 16, and not looked up.
        { input: 10 },
      ],
      { prefixTrie: { ...options.prefixTrie!, deviceBytes: 1e6, hostBytes: 1e6 } },
    )
    expect(hits).toEqual(['0/48', '48/52', '32/48', '0/20', '0/10'])
    expect(ttft).toEqual([0.75, 0.25, 0.25, 0.5, 0.25])
  })

  /*
   * Prompts of 32 tokens, 32 kB each. After A, B, C: device B C, host A B C. A again: its chunk of 16 is a hit on the host, 32 kB
   * at 64 kB/s: 0.5 s more; device C A, host B C A. D: device A D, host C A D, B is gone. B anew: device D B, host A D B. A: from
   * the host again. B: on the device.
   */
  it('keeps values on the device and the host, each by its order of use, and loads from the host for its time', () => {
    const prompt = (name: number) => ({ input: 32, text: [[name, 32]] as const })
    const { hits, ttft } = run([A, B, C, A, D, B, A, B].map(prompt))
    expect(hits).toEqual(['0/32', '0/32', '0/32', '16/32', '0/32', '0/32', '16/32', '16/32'])
    expect(ttft).toEqual([0.5, 0.5, 0.5, 0.75, 0.5, 0.5, 0.75, 0.25])
  })

  it('copies a value before it saves it, in the time of its prefill thread, unless its text is there', () => {
    const prefixTrie = { ...options.prefixTrie!, copyBytesPerSecond: 32e3 }
    const { ttft } = run(
      [A, A].map((name) => ({ input: 32, text: [[name, 32]] })),
      { prefixTrie },
    )
    // 32 kB at 32 kB/s after two chunks; then one chunk.
    expect(ttft).toEqual([1.5, 0.25])
  })

  it('saves nothing that the device cannot hold', () => {
    const { hits } = run([A, A].map((name) => ({ input: 80, text: [[name, 80]] })))
    expect(hits).toEqual(['0/80', '0/80'])
  })

  it('shows routers what a look-up would find, once the prompt is computed', () => {
    const { engine, simulation, runTo } = start(
      [{ at: 0, input: 32, output: 1, text: [[A, 32]] }],
      plainCost(1, 1 / 64),
      (context) => disaggregated.create(context, options),
    )
    const seen = () => engine.cachedTokens(1, 40, simulation.now())
    runTo(0.4)
    expect(seen()).toBe(0)
    runTo(0.5)
    expect(seen()).toBe(32)
  })
})

describe("the prefix cache's defects, strict and corrected", () => {
  /*
   * Values of D 32 kB, A 16, A B 32, C 16, E 16, in this order; 96 kB of room. Strict, A's own value stays beside that of A B, by
   * which alone it can be found: with E there are 112 kB, and D goes. Corrected, A's value went when A B came: all fit.
   */
  it('a prompt that a longer one replaced keeps its room, or gives it', () => {
    const d: Prompt = { input: 32, text: [[D, 32]] }
    const prompts: Prompt[] = [
      d,
      { input: 16, text: [[A, 16]] },
      {
        input: 32,
        text: [
          [A, 16],
          [B, 16],
        ],
      },
      { input: 16, text: [[C, 16]] },
      { input: 16, text: [[E, 16]] },
      d,
    ]
    const prefixTrie = { ...options.prefixTrie!, deviceBytes: 96e3, hostBytes: 96e3 }
    expect(run(prompts, { prefixTrie }).hits.at(-1)).toBe('16/32')
    expect(run(prompts, { prefixTrie, strict: true }).hits.at(-1)).toBe('0/32')
  })

  /*
   * 48 kB each: A B C, then A D and E, which put A B C off the device. A B and other text shares A's 33 tokens with the device's A D,
   * and 40 with the host's A B C: two chunks with either. Strict, the host's value is loaded for them, 0.75 s.
   */
  it('the host is asked for text that makes no chunk more, or only for a chunk more', () => {
    const prompts: Prompt[] = [
      {
        input: 48,
        text: [
          [A, 33],
          [B, 7],
          [C, 8],
        ],
      },
      {
        input: 48,
        text: [
          [A, 33],
          [D, 15],
        ],
      },
      { input: 48, text: [[E, 48]] },
      {
        input: 48,
        text: [
          [A, 33],
          [B, 7],
          [D, 8],
        ],
      },
    ]
    const prefixTrie = { ...options.prefixTrie!, deviceBytes: 96e3, hostBytes: 192e3 }
    const corrected = run(prompts, { prefixTrie })
    expect(corrected.hits).toEqual(['0/48', '32/48', '0/48', '32/48'])
    expect(corrected.ttft).toEqual([0.75, 0.25, 0.75, 0.25])
    const strict = run(prompts, { prefixTrie, strict: true })
    expect(strict.hits).toEqual(corrected.hits)
    expect(strict.ttft).toEqual([0.75, 0.25, 0.75, 1])
  })
})

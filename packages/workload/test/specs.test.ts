import { describe, expect, it } from 'vitest'
import { emptyDraft, importTraffic, SpecError, serveGenStream, syntheticSource } from '../src/index.ts'

const client = (over: object) => ({
  id: 'a',
  slo_class: 'batch',
  rate_fraction: 0.5,
  arrival: { process: 'gamma', cv: 3 },
  input_distribution: { type: 'gaussian', params: { mean: 400, std_dev: 120, min: 100, max: 800 } },
  output_distribution: { type: 'exponential', params: { mean: 120 } },
  ...over,
})

describe('descriptions of other tools', () => {
  it('BLIS clients: rates are fractions, prefixes are groups, turns are sessions', () => {
    const { traffic, tenants, serviceClasses } = importTraffic({
      version: '1',
      seed: 42,
      aggregate_rate: 1000,
      num_requests: 5000,
      clients: [
        client({ prefix_group: 'heavy', prefix_length: 512 }),
        client({ slo_class: 'critical', tenant_id: 'other', arrival: { process: 'poisson' } }),
        client({ reasoning: { multi_turn: { max_rounds: 5, think_time_us: 500_000, context_growth: 'accumulate' } } }),
      ],
    })
    expect(traffic).toMatchObject({ seed: 42, requests: 5000 })
    const [heavy, critical, turns] = traffic.streams
    expect(heavy).toMatchObject({
      arrivals: { name: 'gamma', requestsPerSecond: 500, cv: 3 },
      structure: {
        name: 'sharedPrefix',
        groups: 1,
        prefix: { name: 'fixed', tokens: 512 },
        input: { name: 'normal', mean: 400, standardDeviation: 120, minimum: 100, maximum: 800 },
        output: { name: 'exponential', mean: 120 },
      },
    })
    expect(critical).toMatchObject({
      arrivals: { name: 'poisson', requestsPerSecond: 500 },
      structure: { name: 'single' },
      tenant: 1,
      serviceClass: 1,
    })
    expect(turns).toMatchObject({
      structure: { name: 'sessions', turns: { name: 'fixed', tokens: 5 }, thinkSeconds: 0.5 },
    })
    expect([tenants, serviceClasses]).toEqual([
      ['default', 'other'],
      ['batch', 'critical'],
    ])
    expect(syntheticSource(traffic).meanRate).toBe(1500)
  })
  it('BLIS in the manner of inference-perf: 8/s then 20/s, 9 prefixes of 100 tokens before 447', () => {
    const { traffic } = importTraffic({
      version: '1',
      seed: 42,
      inference_perf: {
        stages: [
          { rate: 8, duration: 600 },
          { rate: 20, duration: 600 },
        ],
        shared_prefix: {
          num_unique_system_prompts: 9,
          num_users_per_system_prompt: 5,
          system_prompt_len: 100,
          question_len: 447,
          output_len: 248,
        },
      },
    })
    const source = syntheticSource(traffic)
    expect(source.meanRate).toBe(14)
    const draft = emptyDraft()
    let before600 = 0
    let all = 0
    const prompts = new Set<number>()
    while (source.peek(draft.arrival)) {
      source.take(draft)
      all++
      prompts.add(draft.prompt)
      if (draft.arrival.seconds < 600) before600++
      expect([draft.inputTokens, draft.outputTokens]).toEqual([547, 248])
    }
    expect(prompts.size).toBe(9)
    expect(before600 / 4800).toBeCloseTo(1, 1)
    expect(all / 16_800).toBeCloseTo(1, 1.5)
  })
  it('inference-perf: stages and distributions', () => {
    const length = { min: 10, max: 100, mean: 50, std_dev: 0 }
    const { traffic } = importTraffic({
      load: { type: 'constant', stages: [{ rate: 2, duration: 1 }] },
      data: { type: 'random', input_distribution: length, output_distribution: { ...length, std_dev: 5 } },
    })
    expect(traffic.streams[0]).toMatchObject({
      arrivals: { name: 'staged', spacing: 'even' },
      structure: { input: { name: 'fixed', tokens: 50 }, output: { name: 'normal', standardDeviation: 5 } },
    })
  })
  it('inference-lab: a lognormal of log-mean 6.9 has its median at 992 tokens', () => {
    const { traffic } = importTraffic({
      arrival_pattern: 'poisson',
      arrival_rate: 5,
      num_requests: 400,
      seed: 42,
      input_len_dist: { type: 'lognormal', mean: 6.9, std_dev: 0.7 },
      output_len_dist: { type: 'fixed', value: 200 },
    })
    const source = syntheticSource({ ...traffic, requests: 20_001 })
    const draft = emptyDraft()
    const lengths: number[] = []
    while (source.peek(draft.arrival)) {
      source.take(draft)
      lengths.push(draft.inputTokens)
    }
    expect(lengths.sort((a, b) => a - b)[10_000]! / 992).toBeCloseTo(1, 1.5)
  })
  it('say which field is wrong', () => {
    expect(() => importTraffic({ x: 1 })).toThrow(SpecError)
    expect(() =>
      importTraffic({ clients: [client({ input_distribution: { type: 'odd' } })], aggregate_rate: 1 }),
    ).toThrow(
      'workload.clients[0].input_distribution.type: expected one of constant, gaussian, exponential, uniform, lognormal, pareto, found "odd"',
    )
    expect(() => importTraffic({ clients: [client({})] })).toThrow(
      'workload.aggregate_rate: expected a number, found nothing',
    )
  })
})

describe('ServeGen', () => {
  const trace = '0,0,0,,0,0\r\n600,0.5,1,Gamma,1,2\r\n1200,1,2,Weibull,0.5,1\r\n'
  const window = (tokens: number) => ({
    input_tokens: `{${tokens}: 0.5, ${tokens}.0: 0.5}`,
    output_tokens: '{7: 1.0}',
    reason_ratio: '{}',
  })
  it('a client is a stream: idle windows stay empty, windows without lengths have those before', () => {
    const dataset = JSON.stringify({
      '0': { input_tokens: '{}', output_tokens: '{}' },
      '600': window(100),
      '1200': { input_tokens: '{}', output_tokens: '{}' },
    })
    const source = syntheticSource({ seed: 1, streams: [serveGenStream(trace, dataset)] })
    const draft = emptyDraft()
    const counts = [0, 0, 0, 0]
    while (source.peek(draft.arrival)) {
      source.take(draft)
      counts[Math.floor(draft.arrival.seconds / 600)]!++
      expect([draft.inputTokens, draft.outputTokens]).toEqual([100, 7])
    }
    expect([counts[0], counts[3]]).toEqual([0, 0])
    expect(counts[1]! / 300).toBeCloseTo(1, 0.7)
    expect(counts[2]! / 600).toBeCloseTo(1, 0.5)
  })
  it('images are pieces of the prompt', () => {
    const dataset = JSON.stringify({
      '0': { text_tokens: '{52: 1.0}', image_count: '{2: 1.0}', image_tokens: '{300: 1.0}', output_tokens: '{2: 1.0}' },
    })
    const source = syntheticSource({ seed: 1, streams: [serveGenStream(trace, dataset)] })
    const draft = emptyDraft()
    source.take(draft)
    expect(draft.inputTokens).toBe(652)
  })
  it('says what is wrong', () => {
    const good = JSON.stringify({ '0': window(1) })
    expect(() => serveGenStream('0,1,1', good)).toThrow('line 1: expected 6 fields')
    expect(() => serveGenStream('0,1,1,Normal,1,1', good)).toThrow('Gamma or Weibull')
    expect(() => serveGenStream(trace, JSON.stringify({ '0': { input_tokens: '[1]', output_tokens: '{}' } }))).toThrow(
      'a Python dict',
    )
  })
})

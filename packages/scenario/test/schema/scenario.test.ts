import { describe, expect, it } from 'vitest'
import { ScenarioError } from '../../src/document/problem.ts'
import { readOverride } from '../../src/overrides/override.ts'
import { presetList } from '../../src/presets/index.ts'
import { starterText } from '../../src/reference/starter.ts'
import { fullText, jsonSchemaText, referenceText } from '../../src/reference/texts.ts'
import { readScenario } from '../../src/schema/decode.ts'
import { streamNames } from '../../src/schema/streamNames.ts'

const smallest = `
version: 1
model: llama-3.1-8b
fleet:
  - hardware: h100
traffic:
  arrivals: { name: constant, requestsPerSecond: 2 }
  structure: { name: single, input: { name: fixed, tokens: 10 }, output: { name: fixed, tokens: 5 } }
run: { durationSeconds: 10 }
`
const read = (...set: string[]) => readScenario(smallest, 'x.yaml', set.map(readOverride))
const problems = (...set: string[]): string[] => {
  try {
    read(...set)
  } catch (error) {
    if (error instanceof ScenarioError) return error.message.split('\n')
    throw error
  }
  return []
}

describe('the scenario file', () => {
  it('fills in every default', () => {
    expect(read()).toMatchObject({
      name: 'scenario',
      seed: 1,
      cost: { backend: 'calibrated' },
      router: { name: 'round-robin' },
      fleet: [
        {
          name: 'default',
          role: 'both',
          replicas: 1,
          layout: { tp: 1, pp: 1, dp: 1, ep: 1, sp: 1 },
          dtypes: { weights: 'bf16', kv: 'bf16' },
          engine: { name: 'vllm', blockSize: 16, memoryUtilisation: 0.9, prefixCache: true, scheduler: 'fcfs' },
        },
      ],
    })
  })

  it('takes JSON, a bare name for a part without options, and names in any spelling', () => {
    const json = JSON.stringify({
      version: 1,
      model: 'llama-3.1-8b',
      fleet: [{ hardware: 'h100' }],
      router: 'leastLoaded',
      traffic: { trace: { file: 'x.csv' } },
    })
    expect(readScenario(json)).toMatchObject({ router: { name: 'least-loaded' }, traffic: { trace: { rateScale: 1 } } })
  })

  it('tells every fault at once, with file, line, path and what was found', () => {
    const text = smallest
      .replace('hardware: h100', 'hardware: h10\n    replicas: 0')
      .replace('requestsPerSecond: 2', 'rate: 2')
    expect(() => readScenario(text, 'x.yaml')).toThrow(ScenarioError)
    try {
      readScenario(text, 'x.yaml')
    } catch (error) {
      const lines = String((error as Error).message).split('\n')
      expect(lines).toHaveLength(4)
      expect(lines[0]).toMatch(/^x\.yaml:5: fleet\[0\]\.hardware: there is no "h10"; did you mean h100/)
      expect(lines[1]).toBe('x.yaml:6: fleet[0].replicas: expected a whole number (replicas), 1 to 10000; found 0')
      expect(lines.slice(2).join()).toMatch(/traffic\.arrivals\.rate: unknown option/)
      expect(lines.slice(2).join()).toMatch(/traffic\.arrivals\.requestsPerSecond: missing; add a number/)
    }
  })

  it('names the near names of options, parts and models', () => {
    expect(problems('fleet[0].layout.tpp=2')[0]).toMatch(/layout\.tpp: unknown option; did you mean pp or tp\?/)
    expect(problems('router=leastloadd')[0]).toMatch(/there is no "leastloadd"; did you mean least-loaded\?/)
    expect(problems('model=llama-3.1-8')[0]).toMatch(/did you mean llama-3\.1-8b/)
    expect(problems('fleet[0].engine=vlm')[0]).toMatch(/engine\.name: there is no "vlm"; did you mean vllm\?/)
  })

  it('refuses what contradicts itself', () => {
    expect(problems('fleet[0].role=prefill')[0]).toMatch(/needs both sides; add a pool with role: generate/)
    expect(problems('traffic.trace.file=x.csv')[0]).toMatch(/more than one kind of traffic/)
    expect(problems('run={}')[0]).toMatch(/the traffic has no end; add durationSeconds or maxRequests/)
    expect(problems('fleet[1]={"hardware":"h100"}')[0]).toMatch(/there is another pool default/)
    expect(problems('version=2')[0]).toMatch(/version: expected 1; found 2/)
  })

  it('refuses the name __proto__, which would be lost or would smuggle options in', () => {
    expect(problems('objectives={"__proto__":{"ttftSeconds":1}}')[0]).toMatch(
      /objectives: expected names other than __proto__/,
    )
    expect(() => readScenario(`__proto__: { router: random }\n${smallest}`, 'x.yaml')).toThrow(
      /x\.yaml:1: __proto__: unknown option/,
    )
  })

  it('says where text that is not YAML breaks', () => {
    expect(() => readScenario('version: 1\nversion: 1\n', 'x.yaml')).toThrow(/x\.yaml:2: .*unique/)
  })
})

describe('what is generated from the schema', () => {
  it('writes a starter and a full scenario that are valid', () => {
    expect(readScenario(starterText).name).toBe('my-scenario')
    expect(readScenario(fullText())).toEqual(readScenario(starterText))
  })

  it('writes JSON Schema with bounds, and registries of parts once', () => {
    const schema = JSON.parse(jsonSchemaText())
    expect(schema.properties.seed).toMatchObject({ type: 'integer', minimum: 0, default: 1 })
    expect(schema.required).toEqual(['version', 'model', 'fleet', 'traffic'])
    expect(Object.keys(schema.$defs).sort()).toEqual(['arrivals', 'lengths', 'structures'])
  })

  it('documents every option with unit and default', () => {
    expect(referenceText()).toContain('| `run.durationSeconds` | number | seconds |')
  })

  it('brings presets that are valid', () => {
    for (const preset of presetList) expect(readScenario(preset.text, preset.name).name).toBe(preset.name)
  })

  it('calls streams of traffic by name, by a service class of their own, or by number, and refuses one name twice', () => {
    const classes = ['chat', 'bulk', 'bulk', undefined].map((serviceClass) => ({ serviceClass }))
    expect(streamNames(classes)).toEqual(['chat', 'stream 2', 'stream 3', 'stream 4'])
    expect(streamNames([{ name: 'a', serviceClass: 'chat' }, { serviceClass: 'chat' }])).toEqual(['a', 'stream 2'])
    const stream = (name: string) => ({
      name,
      arrivals: { name: 'constant', requestsPerSecond: 1 },
      structure: { name: 'single', input: { name: 'fixed', tokens: 1 }, output: { name: 'fixed', tokens: 1 } },
    })
    const text = JSON.stringify({
      version: 1,
      model: 'llama-3.1-8b',
      fleet: [{ hardware: 'h100' }],
      traffic: { streams: [stream('chat'), stream('chat')] },
      run: { durationSeconds: 1 },
    })
    expect(() => readScenario(text)).toThrow('there is another stream chat')
  })
})

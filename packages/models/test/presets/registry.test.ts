import { describe, expect, it } from 'vitest'
import { dtype, model, modelNames, presets, UnknownName } from '../../src/index.ts'

describe('looking up a model', () => {
  it('takes its name, an alias or its Hugging Face title, in any case', () => {
    for (const name of ['llama-3.1-8b', 'meta-llama/Llama-3.1-8B', 'META-LLAMA/llama-3.1-8b-instruct', 'llama-3-8b'])
      expect(model(name).name).toBe('llama-3.1-8b')
    expect(model('Qwen/Qwen3.6-35B-A3B').name).toBe('qwen3.5-35b-a3b')
    expect(model('deepseek-ai/DeepSeek-R1').name).toBe('deepseek-v3')
  })

  it('lists near names for one it does not know', () => {
    expect(() => model('llama-3.1-80b')).toThrow(UnknownName)
    expect(() => model('llama-3.1-80b')).toThrow(/Did you mean .*llama-3.1-8b/)
    expect(() => model('qwen3')).toThrow(/qwen3-/)
  })

  it('never finds two under one name', () => {
    const names = modelNames.flatMap((name) => [name, presets[name].title, ...presets[name].aliases])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length)
  })

  it('covers at least 30 models, every one with a source', () => {
    expect(modelNames.length).toBeGreaterThanOrEqual(30)
    for (const name of modelNames) expect(presets[name].source).toMatch(/config\.json|tensors/)
  })
})

describe('looking up a dtype', () => {
  it('lists near names for one it does not know', () => {
    expect(dtype('fp8')).toBe('fp8')
    expect(() => dtype('float8')).toThrow(/Unknown dtype/)
  })
})

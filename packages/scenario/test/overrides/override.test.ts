import { describe, expect, it } from 'vitest'
import { documentOf } from '../../src/document/parse.ts'
import { applyOverrides, readOverride } from '../../src/overrides/override.ts'

const document = documentOf({
  router: 'roundRobin',
  fleet: [
    { name: 'prompts', replicas: 1 },
    { name: 'answers', replicas: 2 },
  ],
})
const set = (...texts: string[]) => applyOverrides(document, texts.map(readOverride)).value

describe('an override', () => {
  it('sets a value by list position, by dots or by the name of a pool', () => {
    expect(set('fleet[0].replicas=4')).toMatchObject({ fleet: [{ replicas: 4 }, { replicas: 2 }] })
    expect(set('fleet.1.replicas=4')).toMatchObject({ fleet: [{ replicas: 1 }, { replicas: 4 }] })
    expect(set('fleet.answers.replicas=4')).toMatchObject({ fleet: [{ replicas: 1 }, { replicas: 4 }] })
  })

  it('reads numbers, truth values and groups as JSON, and the rest as text', () => {
    expect(set('name=my run', 'flag=true', 'layout={"tp":8}')).toMatchObject({
      name: 'my run',
      flag: true,
      layout: { tp: 8 },
    })
  })

  it('makes the groups on its way', () => {
    expect(set('run.durationSeconds=9')).toMatchObject({ run: { durationSeconds: 9 } })
  })

  it('takes an option out', () => {
    const taken = applyOverrides(document, [{ path: ['router'], value: undefined }]).value
    expect(taken).not.toHaveProperty('router')
  })

  it('leaves the document it was laid over as it was', () => {
    set('fleet[0].replicas=4')
    expect(document.value).toMatchObject({ fleet: [{ replicas: 1 }, { replicas: 2 }] })
  })

  it('says the form when it cannot be read, and the positions and names of a list', () => {
    expect(() => readOverride('replicas')).toThrow(/expected PATH=VALUE.*found "replicas"/)
    expect(() => set('fleet[5].replicas=1')).toThrow(/position from 0 to 2, or one of the names prompts, answers/)
    expect(() => set('fleet[0].replicas.x=1')).toThrow(/fleet\[0\].replicas is 1, which has nothing inside/)
  })
})

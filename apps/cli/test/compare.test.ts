import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readVariations } from '../src/input/variations.ts'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')

function compared(...args: string[]) {
  const words = ['--conditions=@windtunnel/source', '--no-warnings', main, 'compare', ...args]
  return spawnSync(process.execPath, words, { encoding: 'utf8' })
}

describe('windtunnel compare', () => {
  it('prints one JSON document, the same however many threads do the work', () => {
    const words = ['demo-chat', '--vary', 'fleet[0].replicas=1,2', '--duration', '20', '--seeds', '2', '--json']
    const alone = compared(...words, '--threads', '1')
    const threaded = compared(...words, '--threads', '2')
    expect({ status: alone.status, stderr: alone.stderr }).toEqual({ status: 0, stderr: '' })
    expect(threaded.stdout).toBe(alone.stdout)
    const document = JSON.parse(alone.stdout)
    expect(document.variants).toEqual(['fleet[0].replicas=1', 'fleet[0].replicas=2'])
    expect(document.seeds).toEqual([1, 2])
    expect(new Set(document.factsHashes.flat()).size).toBe(4)
    // Twice the replicas at the same price each.
    const money = document.figures.find(({ figure }: { figure: string }) => figure === 'cost an hour')
    expect(money.variants[1].mean.mean).toBeCloseTo(2 * money.variants[0].mean.mean, 12)
  })

  it('refuses a comparison of one, and says what to add', () => {
    const { status, stderr } = compared('demo-chat')
    expect(status).toBe(2)
    expect(stderr).toContain('there is one variant only: name another scenario, or add --vary PATH=VALUE,VALUE')
  })

  it('tells which variant cannot be built, on threads and without', () => {
    for (const threads of ['1', '2']) {
      const words = [
        'demo-chat',
        '--vary',
        'fleet[0].layout.tp=1,3',
        '--duration',
        '1',
        '--seeds',
        '1',
        '--threads',
        threads,
      ]
      const { status, stderr } = compared(...words)
      expect(status).toBe(2)
      expect(stderr).toContain('windtunnel: fleet[0].layout.tp=3: fleet[0]')
      expect(stderr).toContain('tp must be a divisor')
    }
  })

  it('tells of a wrong option before any run begins', () => {
    const { status, stderr } = compared('demo-chat', '--vary', 'router=random,kv-awere')
    expect(status).toBe(2)
    expect(stderr).toContain('kv-aware')
  })
})

describe('compare --policy', () => {
  it('has policies of the user beside those that come along, the same however many threads do the work', () => {
    const folder = mkdtempSync(join(tmpdir(), 'policy-'))
    const path = join(folder, 'first.mjs')
    writeFileSync(path, "export const r = { name: 'always-first', description: '', start: () => () => 0 }")
    const words = [
      'demo-chat',
      '--vary',
      'router=random',
      '--policy',
      path,
      '--duration',
      '10',
      '--seeds',
      '2',
      '--json',
    ]
    const alone = compared(...words, '--threads', '1')
    expect({ status: alone.status, stderr: alone.stderr }).toEqual({ status: 0, stderr: '' })
    expect(compared(...words, '--threads', '2').stdout).toBe(alone.stdout)
    const document = JSON.parse(alone.stdout)
    expect(document.variants).toEqual(['router=random', 'router=always-first'])
    // Four replicas, and all requests on one of them.
    const balance = document.figures.find(({ figure }: { figure: string }) => figure.startsWith('busiest'))
    expect(balance.variants[1].mean.mean).toBeCloseTo(4, 12)
  })

  it('puts a policy beside what the scenario has where nothing else takes its place', () => {
    const own = { path: 'own.ts', kind: 'scheduler', name: 'own' } as const
    const names = (...texts: string[]) => readVariations(texts, [own]).map(({ name }) => name)
    expect(names()).toEqual(['scheduler as written', 'scheduler=own'])
    expect(names('router=a,b')).toEqual([
      'router=a scheduler as written',
      'router=a scheduler=own',
      'router=b scheduler as written',
      'router=b scheduler=own',
    ])
    expect(names('fleet[0].engine.scheduler=lpm')).toEqual(['fleet[0].engine.scheduler=lpm', 'scheduler=own'])
  })
})

describe('--vary', () => {
  const names = (...texts: string[]) => readVariations(texts).map(({ name }) => name)

  it('makes every combination, the last one turning fastest', () => {
    expect(names('router=a,b', 'seed=1,2')).toEqual([
      'router=a seed=1',
      'router=a seed=2',
      'router=b seed=1',
      'router=b seed=2',
    ])
  })

  it('keeps commas inside brackets, braces and quotes', () => {
    expect(names('x={"name":"kv-aware","a":[1,2]},"b,c",d')).toEqual([
      'x={"name":"kv-aware","a":[1,2]}',
      'x="b,c"',
      'x=d',
    ])
  })

  it('says the form it expects', () => {
    expect(() => names('router')).toThrow('expected PATH=VALUE,VALUE such as router=kv-aware,random; found "router"')
    expect(() => names('router=a,,b')).toThrow('expected PATH=VALUE,VALUE')
  })
})

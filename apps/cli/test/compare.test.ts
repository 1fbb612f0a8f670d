import { spawnSync } from 'node:child_process'
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
  })

  it('refuses a comparison of one, and says what to add', () => {
    const { status, stderr } = compared('demo-chat')
    expect(status).toBe(2)
    expect(stderr).toContain('there is one variant only: name another scenario, or add --vary PATH=VALUE,VALUE')
  })

  it('tells of a wrong option before any run begins', () => {
    const { status, stderr } = compared('demo-chat', '--vary', 'router=random,kv-awere')
    expect(status).toBe(2)
    expect(stderr).toContain('kv-aware')
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

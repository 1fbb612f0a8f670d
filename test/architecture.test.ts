import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Who may import whom: the arrows of ARCHITECTURE.md. */
const ALLOWED: Record<string, readonly string[]> = {
  des: [],
  hardware: [],
  models: [],
  cost: ['des', 'hardware', 'models'],
  calculators: ['cost', 'hardware', 'models'],
  workload: ['des'],
  orchestrator: ['des', 'cost', 'workload'],
  metrics: ['des', 'orchestrator', 'workload'],
  scenario: ['des', 'hardware', 'models', 'cost', 'workload', 'orchestrator', 'metrics'],
  study: ['des', 'hardware', 'models', 'cost', 'workload', 'orchestrator', 'metrics', 'scenario'],
  protocol: ['metrics', 'orchestrator'],
  client: ['protocol'],
}
/** These speak of facts and metrics with types alone. */
const TYPES_ONLY = [
  { from: 'metrics', to: 'orchestrator' },
  { from: 'metrics', to: 'workload' },
  { from: 'protocol', to: 'orchestrator' },
  { from: 'protocol', to: 'metrics' },
]
const PURE = ['des', 'hardware', 'models', 'cost', 'workload', 'orchestrator', 'metrics']
const MAY_USE_EFFECT = ['scenario', 'study', 'calculators', 'protocol', 'client']
const MAY_USE_NODE = ['study']

/** What pure packages must not name: wall clock, chance, output, and mathematics that differs between JavaScript engines. */
const FORBIDDEN = [
  /\bDate\b/,
  /\bMath\.random\b/,
  /\bperformance\./,
  /\bconsole\b/,
  /\bMath\.(log|log2|log10|log1p|exp|expm1|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|pow|cbrt|hypot)\b/,
  /\*\*/,
]

interface Source {
  readonly file: string
  readonly text: string
  /** Without comments and strings, for looking at identifiers. */
  readonly code: string
}

function sources(folder: string): Source[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return { file: relative(root, join(folder, name)), text, code: withoutCommentsAndStrings(text) }
    })
}

function withoutCommentsAndStrings(text: string): string {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/(^|[^:'"`])\/\/[^\n]*/g, '$1')
    .replace(/'(?:[^'\\\n]|\\.)*'/g, "''")
    .replace(/"(?:[^"\\\n]|\\.)*"/g, '""')
    .replace(/`(?:[^`\\$]|\\.|\$(?!\{))*`/g, '``')
}

interface Import {
  readonly file: string
  readonly target: string
  readonly typesOnly: boolean
}

function imports({ file, text }: Source): Import[] {
  const found: Import[] = []
  const statement = /(?:^|\n)(?:import|export)\s+(type\s+)?([^'";]*?)\s+from\s+'([^']+)'/g
  for (const [, type, names = '', target] of text.matchAll(statement)) {
    const listed = /^\{([^}]*)\}$/
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== '')
    const typesOnly = type !== undefined || (listed?.length !== 0 && listed?.every((name) => name.startsWith('type ')))
    found.push({ file, target: target!, typesOnly: typesOnly === true })
  }
  for (const [, target] of text.matchAll(/(?:^|\n)import\s+'([^']+)'/g))
    found.push({ file, target: target!, typesOnly: false })
  for (const [, target] of text.matchAll(/\bimport\(\s*['"]([^'"]+)['"]\s*\)/g))
    found.push({ file, target: target!, typesOnly: false })
  return found
}

const packages = Object.fromEntries(
  Object.keys(ALLOWED).map((name) => [name, sources(join(root, 'packages', name, 'src'))]),
)
const packageOf = (target: string): string | undefined => /^@windtunnel\/([^/]+)/.exec(target)?.[1]

describe('the arrows between packages', () => {
  it('lists every package', () => {
    expect(readdirSync(join(root, 'packages')).sort()).toEqual(Object.keys(ALLOWED).sort())
  })

  for (const [name, files] of Object.entries(packages)) {
    it(`${name} imports only what lies below it`, () => {
      const wrong = files.flatMap(imports).filter(({ target }) => {
        const to = packageOf(target)
        return to !== undefined && to !== name && !ALLOWED[name]!.includes(to)
      })
      expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
    })
  }

  it('has no circle', () => {
    const visit = (name: string, path: readonly string[]): void => {
      expect(path, 'circle').not.toContain(name)
      const below = new Set(packages[name]!.flatMap(imports).map(({ target }) => packageOf(target)))
      below.delete(name)
      for (const to of below) if (to !== undefined) visit(to, [...path, name])
    }
    for (const name of Object.keys(packages)) visit(name, [])
  })

  for (const { from, to } of TYPES_ONLY) {
    it(`${from} takes only types from ${to}`, () => {
      const wrong = packages[from]!.flatMap(imports).filter(({ target, typesOnly }) => {
        return packageOf(target) === to && !typesOnly && !ALLOWED_VALUES.some((one) => target.startsWith(one))
      })
      expect(wrong.map(({ file, target }) => `${file} imports values of ${target}`)).toEqual([])
    })
  }

  it('keeps packages free of apps', () => {
    const wrong = Object.values(packages)
      .flat()
      .flatMap(imports)
      .filter(({ target }) => /^@windtunnel\/(server|cli|web)\b|apps\//.test(target))
    expect(wrong).toEqual([])
  })
})

/** Observers extend the silent one: a class without state or rules. */
const ALLOWED_VALUES = ['@windtunnel/orchestrator/observer']

describe('the pure packages', () => {
  for (const name of PURE) {
    it(`${name} names no clock, chance, output or engine-dependent mathematics`, () => {
      const wrong = packages[name]!.flatMap(({ file, code }) =>
        FORBIDDEN.filter((pattern) => pattern.test(code)).map((pattern) => `${file}: ${pattern}`),
      )
      expect(wrong).toEqual([])
    })
  }

  for (const [name, files] of Object.entries(packages)) {
    it(`${name} imports no library that its layer forbids`, () => {
      const wrong = files.flatMap(imports).filter(({ target }) => {
        if (target.startsWith('node:')) return !MAY_USE_NODE.includes(name)
        if (target === 'effect' || target.startsWith('effect/') || target.startsWith('@effect/'))
          return !MAY_USE_EFFECT.includes(name)
        return PURE.includes(name) && !target.startsWith('.') && packageOf(target) === undefined
      })
      expect(wrong.map(({ file, target }) => `${file} imports ${target}`)).toEqual([])
    })
  }
})

describe('the test itself', () => {
  it('sees imports of every form and ignores what comments and strings say', () => {
    const source = (text: string): Source => ({ file: 'x.ts', text, code: withoutCommentsAndStrings(text) })
    const text =
      "import { a } from '@windtunnel/des'\nimport type { B } from 'effect'\nexport * from './c.ts'\nconst d = await import('node:fs')\nimport { type E, type F } from 'g'"
    expect(imports(source(text)).map(({ target, typesOnly }) => [target, typesOnly])).toEqual([
      ['@windtunnel/des', false],
      ['effect', true],
      ['./c.ts', false],
      ['g', true],
      ['node:fs', false],
    ])
    expect(withoutCommentsAndStrings("// Date\nconst a = 'Math.random' /* console */")).not.toMatch(
      /Date|random|console/,
    )
    expect(FORBIDDEN.some((pattern) => pattern.test(withoutCommentsAndStrings('x = Math.exp(2)')))).toBe(true)
  })
})

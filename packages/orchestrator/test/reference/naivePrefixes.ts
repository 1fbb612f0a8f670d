import type { PromptTree } from '@windtunnel/workload'
import type { PrefixTrieOptions } from '../../src/index.ts'
import type { NaiveRequest } from './naiveFleet.ts'

interface Node {
  token: string
  parent: Node | undefined
  children: Node[]
}

interface Value {
  key: string
  bytes: number
}

interface Layer {
  capacity: number
  /** The least recently used first. */
  values: Value[]
  root: Node
}

/** JetStream's prefix cache with a trie of tokens in each layer. Keys are tokens, joined by a blank. */
export class NaivePrefixes {
  /** How often what the defects are about happened. */
  readonly seen = { hits: 0, loads: 0, evictions: 0, shadowed: 0, unsaved: 0 }
  #tree: PromptTree
  #o: PrefixTrieOptions
  #chunk: number
  #longest: number
  #strict: boolean
  #layers: Layer[]

  constructor(tree: PromptTree, options: PrefixTrieOptions, chunk: number, longest: number, strict: boolean) {
    this.#tree = tree
    this.#o = options
    this.#chunk = chunk
    this.#longest = longest
    this.#strict = strict
    this.#layers = [options.deviceBytes, options.hostBytes].map((capacity) => ({
      capacity,
      values: [],
      root: { token: '', parent: undefined, children: [] },
    }))
  }

  /** Tokens found, and bytes to load from the host. */
  load(request: NaiveRequest): { tokens: number; bytes: number } {
    const text = this.#textOf(request)
    const shared = this.#layers.map(({ root }) => walk(root, text).length)
    const [device, host] = shared.map((tokens) => (this.#strict ? tokens : Math.floor(tokens / this.#chunk)))
    const from = host! > device! ? 1 : 0
    if (shared[from]! < this.#chunk) return { tokens: 0, bytes: 0 }
    let node = walk(this.#layers[from]!.root, text).at(-1)!
    while (node.children.length > 0) node = node.children[0]!
    const value = this.#layers[from]!.values.find(({ key }) => key === keyOf(node))!
    this.#put(value)
    let tokens = shared[from]! - (shared[from]! % this.#chunk)
    if (tokens === text.length) tokens -= this.#chunk
    if (tokens === 0) return { tokens: 0, bytes: 0 }
    this.seen.hits += 1
    this.seen.loads += from
    return { tokens, bytes: from === 1 ? value.bytes : 0 }
  }

  /** Saves a computed prompt; whether it was copied for that. */
  save(request: NaiveRequest, bytes: number): boolean {
    const text = this.#textOf(request)
    const tokens = text.slice(0, text.length - (text.length % this.#chunk))
    if (this.#layers.some(({ root }) => walk(root, tokens).length === tokens.length)) return false
    this.#put({ key: tokens.join(' '), bytes })
    return true
  }

  #put(value: Value): void {
    if (value.bytes > this.#o.deviceBytes) {
      this.seen.unsaved += 1
      return
    }
    const lacking = this.#layers.filter(({ values }) => !values.some(({ key }) => key === value.key))
    for (const layer of lacking) {
      const shadows = layer.values.filter(({ key }) => value.key.startsWith(`${key} `))
      this.seen.shadowed += shadows.length
      if (!this.#strict) layer.values = layer.values.filter((one) => !shadows.includes(one))
    }
    for (const layer of lacking) while (sizeOf(layer) + value.bytes > layer.capacity) this.#evict(layer)
    for (const layer of this.#layers) {
      const at = layer.values.findIndex(({ key }) => key === value.key)
      const there = at < 0 ? value : layer.values.splice(at, 1)[0]!
      layer.values.push(there)
      if (at < 0) insert(layer.root, value.key.split(' '))
    }
    for (const { key } of this.#layers[0]!.values)
      if (!this.#layers[1]!.values.some((one) => one.key === key)) throw new Error('not on the host')
  }

  #evict(layer: Layer): void {
    const { key } = layer.values.shift()!
    this.seen.evictions += 1
    let node = walk(layer.root, key.split(' ')).at(-1)!
    if (keyOf(node) !== key) throw new Error('a value without a key')
    while (node.parent !== undefined && node.children.length === 0) {
      const { parent } = node
      parent.children.splice(parent.children.indexOf(node), 1)
      node = parent
      if (layer.values.some((value) => value.key === keyOf(node))) throw new Error('a value without a key')
    }
  }

  #textOf({ draft, input, id }: NaiveRequest): string[] {
    const text: string[] = []
    for (let node = draft.prompt; node !== 0; node = this.#tree.parentOf(node)) {
      const run: string[] = []
      for (let i = this.#tree.depthOf(this.#tree.parentOf(node)); i < this.#tree.depthOf(node); i++)
        run.push(`${node}:${i}`)
      text.unshift(...run)
    }
    while (text.length < input) text.push(`own${id}:${text.length}`)
    return text.slice(0, this.#longest)
  }
}

/** The nodes of the longest path that `text` has in common with the trie. */
function walk(root: Node, text: readonly string[]): Node[] {
  const path: Node[] = []
  let node: Node | undefined = root
  for (const token of text) {
    node = node.children.find((child) => child.token === token)
    if (node === undefined) break
    path.push(node)
  }
  return path
}

function insert(root: Node, text: readonly string[]): void {
  let node = root
  for (const token of text) {
    let next = node.children.find((child) => child.token === token)
    if (next === undefined) {
      next = { token, parent: node, children: [] }
      node.children.push(next)
    }
    node = next
  }
}

const sizeOf = ({ values }: Layer): number => values.reduce((sum, { bytes }) => sum + bytes, 0)

function keyOf(node: Node): string {
  const tokens: string[] = []
  for (let at: Node | undefined = node; at?.parent !== undefined; at = at.parent) tokens.unshift(at.token)
  return tokens.join(' ')
}

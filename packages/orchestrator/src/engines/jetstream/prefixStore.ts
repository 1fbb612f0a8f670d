import type { PromptTree } from '@windtunnel/workload'
import { PrefixTrie } from './prefixTrie.ts'

/** JetStream's cache of whole prefixes: bytes of its two layers and the rates at which values are copied. */
export interface PrefixTrieOptions {
  /** On the device, for values; at most `hostBytes`. */
  deviceBytes: number
  hostBytes: number
  /** At which a value comes back from the host. */
  hostBytesPerSecond: number
  /** At which a value is copied on the device before it is saved. */
  copyBytesPerSecond: number
}

interface Layer {
  readonly capacityBytes: number
  usedBytes: number
  /** Bytes of every value, the least recently used first. */
  readonly values: Map<number, number>
  readonly trie: PrefixTrie
}

/** What a look-up found: tokens in whole chunks, and bytes to be loaded from the host. */
export interface PrefixHit {
  tokens: number
  loadBytes: number
}

const MISS: PrefixHit = { tokens: 0, loadBytes: 0 }

/**
 * The prefix cache of a JetStream server: values are caches of whole prompts, in two layers with a trie of keys each. Work on
 * a prompt costs per run of its path, not per token. The rules are in SEMANTICS.md.
 */
export class PrefixStore {
  readonly #tree: PromptTree
  readonly #chunk: number
  readonly #longest: number
  readonly #strict: boolean
  readonly #layers: readonly [Layer, Layer]

  /** `longest`: tokens to which prompts are cut. */
  constructor(tree: PromptTree, options: PrefixTrieOptions, chunkTokens: number, longest: number, strict: boolean) {
    this.#tree = tree
    this.#chunk = chunkTokens
    this.#longest = longest
    this.#strict = strict
    const layer = (capacityBytes: number): Layer => ({
      capacityBytes,
      usedBytes: 0,
      values: new Map(),
      trie: new PrefixTrie(tree),
    })
    this.#layers = [layer(options.deviceBytes), layer(options.hostBytes)]
  }

  /** Tokens of a prompt of `kept` tokens that a look-up would find; it is no use of the value. */
  peek(leaf: number, kept: number): number {
    const layer = this.#best(leaf, kept)
    return layer === undefined ? 0 : this.#hit(this.#shared(layer, leaf, kept), kept)
  }

  /** Looks up a prompt of `kept` tokens, and uses what it finds. */
  load(leaf: number, kept: number): PrefixHit {
    const layer = this.#best(leaf, kept)
    if (layer === undefined) return MISS
    const key = layer.trie.leafBelow(layer.trie.deepest(leaf))
    const bytes = layer.values.get(key)!
    this.#put(key, this.#parentOf(key), bytes)
    const tokens = this.#hit(this.#shared(layer, leaf, kept), kept)
    return { tokens, loadBytes: tokens > 0 && layer === this.#layers[1] ? bytes : 0 }
  }

  /** Saves the cache of a computed prompt of `kept` tokens unless it is there; whether it was copied for that. */
  save(request: number, leaf: number, kept: number, bytes: number): boolean {
    const saved = kept - (kept % this.#chunk)
    const own = saved > this.#tree.depthOf(leaf)
    const key = own ? -request - 1 : this.#runOf(leaf, saved)
    if (this.#layers.some(({ trie }) => trie.has(key))) return false
    if (own) this.#follows.set(key, leaf)
    this.#put(key, this.#parentOf(key), bytes)
    if (own && !this.#layers[1].values.has(key)) this.#follows.delete(key)
    return true
  }

  /** Values of requests' own text: the node of the prompt tree that they follow. */
  readonly #follows = new Map<number, number>()

  #parentOf(key: number): number {
    return key < 0 ? this.#follows.get(key)! : this.#tree.parentOf(key)
  }

  /** The node of the path to `leaf` that holds token `tokens`. */
  #runOf(leaf: number, tokens: number): number {
    let node = leaf
    while (this.#tree.depthOf(this.#tree.parentOf(node)) >= tokens) node = this.#tree.parentOf(node)
    return node
  }

  /** The layer whose trie shares most with the prompt, one chunk at least. */
  #best(leaf: number, kept: number): Layer | undefined {
    const [device, host] = this.#layers
    const onDevice = this.#shared(device, leaf, kept)
    const onHost = this.#shared(host, leaf, kept)
    const chunks = (tokens: number): number => Math.floor(tokens / this.#chunk)
    if (Math.max(onDevice, onHost) < this.#chunk) return undefined
    const further = this.#strict ? onHost > onDevice : chunks(onHost) > chunks(onDevice)
    return further ? host : device
  }

  /** Tokens that the prompt has in common with the keys of the layer. */
  #shared({ trie }: Layer, leaf: number, kept: number): number {
    const node = trie.deepest(leaf)
    const most = Math.min(this.#tree.depthOf(node), kept, this.#longest)
    return node !== 0 && trie.isLeaf(node) ? most - (most % this.#chunk) : most
  }

  #hit(shared: number, kept: number): number {
    const whole = shared - (shared % this.#chunk)
    return whole === kept ? whole - this.#chunk : whole
  }

  /** Puts a value into both layers, or uses it where it is. */
  #put(key: number, parent: number, bytes: number): void {
    if (bytes > this.#layers[0].capacityBytes) return
    for (const layer of this.#layers) if (!layer.values.has(key)) this.#makeRoom(layer, parent, bytes)
    for (const layer of this.#layers) {
      const there = layer.values.get(key)
      layer.values.delete(key)
      layer.values.set(key, bytes)
      if (there !== undefined) continue
      layer.usedBytes += bytes
      layer.trie.insert(key, parent)
    }
  }

  /** Makes room for a value whose key follows `parent`. */
  #makeRoom(layer: Layer, parent: number, bytes: number): void {
    if (!this.#strict)
      for (let node = parent; node !== 0; node = this.#tree.parentOf(node))
        if (layer.values.has(node)) this.#drop(layer, node)
    for (const key of layer.values.keys()) {
      if (layer.usedBytes + bytes <= layer.capacityBytes) return
      this.#drop(layer, key)
      layer.trie.erase(key)
      if (layer === this.#layers[1]) this.#follows.delete(key)
    }
  }

  #drop(layer: Layer, key: number): void {
    layer.usedBytes -= layer.values.get(key)!
    layer.values.delete(key)
  }
}

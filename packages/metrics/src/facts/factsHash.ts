import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { highWord, lowWord } from '../sketch/floatBits.ts'
import type { Ending } from './ending.ts'

const { imul } = Math

const ENDING_CODES: Record<Ending, number> = { completed: 1, rejected: 2, failed: 3, cancelled: 4, timedOut: 5 }

const avalanche = (value: number): number => {
  let mixed = value ^ (value >>> 16)
  mixed = imul(mixed, 0x85ebca6b)
  mixed ^= mixed >>> 13
  mixed = imul(mixed, 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * What a lane is after it took a word, with a look at the other lane; the lanes take words in turn. Rotations are written
 * out: a compiler puts a short function in the place of its call, and this one many times a fact.
 */
const taken = (lane: number, other: number, word: number): number => {
  const scaled = imul(word, 0xcc9e2d51)
  const mixed = lane ^ imul((scaled << 15) | (scaled >>> 17), 0x1b873593)
  return (((mixed << 13) | (mixed >>> 19)) * 5 + ((other << 7) | (other >>> 25))) | 0
}

const hex = (word: number): string => word.toString(16).padStart(8, '0')

/**
 * A 64-bit hash over the request-level facts in their order, with their times: arrived, routed, admitted, first token,
 * preempted, transferred, ended. Steps, decode runs and wall-clock figures have no part in it, so every way of driving
 * the same scenario, seed and commands gives the same hash, on every platform. Two 32-bit lanes of multiply and rotate
 * over the bits of the numbers, taken in turn; not meant against an adversary.
 */
export class FactsHash extends SilentObserver {
  // Kept as 32-bit integers (`| 0`): a start beyond 2^31 would make the field a boxed double.
  private left = 0x243f6a88 | 0
  private right = 0x85a308d3 | 0
  private facts = 0

  /** 16 hexadecimal digits. */
  digest(): string {
    const left = avalanche(this.left ^ this.facts)
    const right = avalanche(this.right ^ left)
    return hex(avalanche(left ^ right)) + hex(right)
  }

  override arrived(
    request: number,
    time: number,
    inputTokens: number,
    outputTokens: number,
    serviceClass: number,
    tenant: number,
  ): void {
    this.begin(1, request, time)
    this.pair(inputTokens, outputTokens)
    this.pair(serviceClass, tenant)
  }

  override routed(request: number, time: number, replica: number): void {
    this.begin(2, request, time)
    this.word(replica)
  }

  override admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    _queriedTokens: number,
    preemptions: number,
  ): void {
    this.begin(3, request, time)
    this.word(replica)
    this.pair(cachedTokens, preemptions)
  }

  override firstToken(request: number, time: number): void {
    this.begin(4, request, time)
  }

  override preempted(request: number, time: number, replica: number): void {
    this.begin(5, request, time)
    this.word(replica)
  }

  override transferred(request: number, time: number, from: number, to: number): void {
    this.begin(6, request, time)
    this.pair(from, to)
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number): void {
    this.begin(7, request, time)
    // Most complete: for them a comparison, without a look-up by name.
    this.pair(ending === 'completed' ? 1 : ENDING_CODES[ending], outputTokens)
  }

  private begin(kind: number, request: number, time: number): void {
    this.facts = (this.facts + 1) | 0
    const left = taken(this.left, this.right, (request << 3) | kind)
    const right = taken(this.right, left, lowWord(time))
    this.right = taken(left, right, highWord(time))
    this.left = right
  }

  private word(word: number): void {
    const { left, right } = this
    this.left = right
    this.right = taken(left, right, word)
  }

  /** Two words: each lane takes one, and they stand where they stood. */
  private pair(first: number, second: number): void {
    this.left = taken(this.left, this.right, first)
    this.right = taken(this.right, this.left, second)
  }
}

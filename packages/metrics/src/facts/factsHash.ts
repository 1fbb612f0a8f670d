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
 * What a lane is after it took a word: of two words, or of two lanes, never the same. The multiplication spreads what small
 * numbers differ in; nothing spreads the highest bits before the next fact begins.
 */
const taken = (lane: number, word: number): number => imul(lane ^ word, 0x9e3779b1)

const hex = (word: number): string => word.toString(16).padStart(8, '0')

/**
 * A 64-bit hash over the request-level facts in their order, with their times: arrived, routed, admitted, first token,
 * preempted, transferred, ended. Steps, decode runs and wall-clock figures have no part in it, so every way of driving
 * the same scenario, seed and commands gives the same hash, on every platform. Two 32-bit lanes share the words of a fact
 * between them, and are mixed before each fact. A time is two words, all its bits, so that -0 is not 0; any other number is
 * one, its lower 32 bits as a whole number. Not meant against an adversary.
 */
export class FactsHash extends SilentObserver {
  // Kept as 32-bit integers (`| 0`): a start beyond 2^31 would make the field a boxed double.
  private left = 0x243f6a88 | 0
  private right = 0x85a308d3 | 0

  /** 16 hexadecimal digits. */
  digest(): string {
    const right = avalanche(this.right ^ avalanche(this.left))
    return hex(avalanche(this.left ^ right)) + hex(right)
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
    this.right = taken(this.right, replica)
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
    this.right = taken(this.right, replica)
    this.pair(preemptions, cachedTokens)
  }

  override firstToken(request: number, time: number): void {
    this.begin(4, request, time)
  }

  override preempted(request: number, time: number, replica: number): void {
    this.begin(5, request, time)
    this.right = taken(this.right, replica)
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

  /** The kind stands in the bits of a number that only a run of 2^29 requests would use. */
  private begin(kind: number, request: number, time: number): void {
    const { left, right } = this
    this.left = taken(taken(right, request ^ (kind << 29)), highWord(time))
    this.right = taken(((left << 13) | (left >>> 19)) + right, lowWord(time))
  }

  private pair(first: number, second: number): void {
    this.right = taken(this.right, first)
    this.left = taken(this.left, second)
  }
}

import { addSeconds, compareTime, copyTime, EventQueue, type RandomStream, type Time, zeroTime } from '@windtunnel/des'
import type { ArrivalProcess } from '../arrivals/arrivalProcess.ts'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending, MixableSource } from '../requestSource.ts'
import type { FollowUps, Structure } from '../structures/structure.ts'
import { type LengthScales, type MixChange, orderedWeights, rescale, type TrafficMix } from './mix.ts'

/** How the clients of a stream behave, and what they are called. */
export interface ClientHabits {
  readonly tenant: number
  readonly serviceClass: number
  readonly priority: number
  /** Limit the client asks for; undefined asks for as much as the model will say. */
  readonly maxTokens: number | undefined
  /** Share of requests whose client leaves if it has to wait longer than its patience, and the mean patience. */
  readonly cancelShare: number
  readonly patienceSeconds: number
  readonly timeoutSeconds: number
  /** Added between an ending and what follows it: the answer travels to the client, and the next request back. */
  readonly roundTripSeconds: number
}

/** What the mix knows a stream by, and the factors with which its lengths are drawn. */
export interface Mixing {
  readonly name: string
  readonly scales: LengthScales
}

/**
 * Traffic made of an arrival process and a structure. At one instant follow-ups come before new work, each kind in the
 * order in which it became known. Taking a request of a structure without feedback allocates nothing.
 */
export class StreamSource implements MixableSource, FollowUps {
  readonly tree: PromptTree
  readonly open: boolean
  private readonly arrivals: ArrivalProcess
  private readonly structure: Structure
  private readonly clients: ClientHabits
  private readonly random: RandomStream
  private readonly mixing: Mixing
  private readonly due = new EventQueue()
  private readonly at: Time = zeroTime()
  private readonly followAt: Time = zeroTime()
  private readonly endedAt: Time = zeroTime()

  constructor(
    tree: PromptTree,
    arrivals: ArrivalProcess,
    structure: Structure,
    clients: ClientHabits,
    random: RandomStream,
    mixing: Mixing,
  ) {
    this.tree = tree
    this.open = arrivals.released === undefined && structure.ended === undefined
    this.arrivals = arrivals
    this.structure = structure
    this.clients = clients
    this.random = random
    this.mixing = mixing
  }

  get meanRate(): number | undefined {
    return this.arrivals.meanRate
  }

  get mix(): TrafficMix {
    const { name, scales } = this.mixing
    const share = this.meanRate === undefined ? undefined : 1
    return { streams: [{ name, share }], promptScale: scales.prompt, outputScale: scales.output }
  }

  peek(into: Time): boolean {
    const opens = this.arrivals.peek(into)
    if (this.due.size === 0) return opens
    this.due.peek(this.followAt)
    if (!opens || compareTime(this.followAt, into) <= 0) copyTime(into, this.followAt)
    return true
  }

  take(into: RequestDraft): void {
    const opens = this.arrivals.peek(into.arrival)
    into.prompt = 0
    into.output = 0
    into.session = 0
    into.tag = 0
    const follows = this.due.peek(this.followAt)
    if (follows && (!opens || compareTime(this.followAt, into.arrival) <= 0)) {
      copyTime(into.arrival, this.followAt)
      const mark = this.due.subject
      this.due.pop()
      this.structure.follow(mark, into)
    } else {
      this.arrivals.advance()
      this.structure.open(into)
    }
    this.dress(into)
  }

  ended(tag: number, ending: Ending, time: Time): void {
    if (this.open) return
    copyTime(this.endedAt, time)
    if (this.clients.roundTripSeconds > 0) addSeconds(this.endedAt, this.clients.roundTripSeconds)
    if (this.structure.ended?.(tag, ending, this) ?? true) this.arrivals.released?.(this.endedAt)
  }

  after(seconds: number, mark: number): void {
    addSeconds(copyTime(this.at, this.endedAt), seconds)
    this.due.push(this.at.seconds, this.at.ticks, 0, 0, mark)
  }

  release(leaf: number, upTo: number): void {
    this.tree.release(leaf, upTo, this.endedAt.seconds)
  }

  setRate(requestsPerSecond: number, now: Time): void {
    this.arrivals.setRate(requestsPerSecond, now)
  }

  setMix(change: MixChange): void {
    if (change.weights !== undefined) orderedWeights(change.weights, [this.mixing.name])
    rescale(this.mixing.scales, change)
  }

  /** What the client adds to a request. A request has at least one token in and out. */
  private dress(into: RequestDraft): void {
    const { clients } = this
    if (into.inputTokens < 1) into.inputTokens = 1
    if (into.outputTokens < 1) into.outputTokens = 1
    into.maxTokens = clients.maxTokens ?? into.outputTokens
    into.tenant = clients.tenant
    into.serviceClass = clients.serviceClass
    into.priority = clients.priority
    into.timeoutSeconds = clients.timeoutSeconds
    into.cancelAfterSeconds = Number.POSITIVE_INFINITY
    if (clients.cancelShare > 0 && this.random.uniform() < clients.cancelShare) {
      into.cancelAfterSeconds = this.random.exponential(clients.patienceSeconds)
    }
  }
}

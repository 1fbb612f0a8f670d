import { addSeconds, copyTime, EventQueue, type Time, zeroTime } from '@windtunnel/des'
import { TraceError } from '../traces/errors.ts'

/** A call of a session that waits for the one before it to end. */
interface Waiting {
  readonly afterSeconds: number
  readonly fields: Int32Array
}

interface Chain {
  readonly waiting: Waiting[]
  /** Node of the last answer offered. */
  answer: number
  /** The last row offered says that more follow. */
  continues: boolean
  /** When the last call ended with nothing waiting; undefined while a call is in the system. */
  idleSince: Time | undefined
  /** A call did not complete: the rest is not sent. */
  over: boolean
}

/** Sessions of a trace whose calls follow one another, and the calls that are due. */
export class SessionChains {
  private readonly chains = new Map<number, Chain>()
  private readonly due = new EventQueue()
  private readonly slots: (Int32Array | undefined)[] = []
  private readonly free: number[] = []
  private readonly at = zeroTime()

  /** Node of the last answer of a session; 0 when there is none. */
  answerOf(session: number): number {
    return this.chains.get(session)?.answer ?? 0
  }

  has(session: number): boolean {
    return this.chains.has(session)
  }

  /** The first call of a session, which others will wait for. */
  begin(session: number, answer: number): void {
    const old = this.chains.get(session)
    if (old !== undefined) {
      // A row with a time of its own amid a session: it does not wait, and is waited for.
      old.answer = answer
      old.idleSince = undefined
      old.over = false
      return
    }
    this.chains.set(session, { waiting: [], answer, continues: true, idleSince: undefined, over: false })
  }

  /** A later call. Throws when the session has no earlier row, or ran dry before this row was offered. */
  add(session: number, line: number, call: Waiting, answer: number, continues: boolean): void {
    const chain = this.chains.get(session)
    if (chain === undefined) {
      throw new TraceError('any', { line }, 'an earlier row of its session close before it', 'none')
    }
    if (chain.idleSince !== undefined) {
      throw new TraceError(
        'any',
        { line },
        'the rows of a session close together (or a larger bufferRows)',
        'one that came after its session had ended its last call',
      )
    }
    chain.answer = answer
    chain.continues = continues
    if (!chain.over) chain.waiting.push(call)
    else if (!continues) this.chains.delete(session)
  }

  /** A call of the session ended; true when its session is over. `closed` says that no more rows will be offered. */
  ended(session: number, completed: boolean, time: Time, closed: boolean): boolean {
    const chain = this.chains.get(session)
    if (chain === undefined) return true
    const next = completed ? chain.waiting.shift() : undefined
    if (next !== undefined) {
      addSeconds(copyTime(this.at, time), next.afterSeconds)
      const slot = this.free.pop() ?? this.slots.length
      this.slots[slot] = next.fields
      this.due.push(this.at.seconds, this.at.ticks, 0, 0, slot)
      return false
    }
    chain.waiting.length = 0
    if (closed || !chain.continues) this.chains.delete(session)
    else if (completed) chain.idleSince = { ...time }
    else chain.over = true
    return true
  }

  /** Writes the time of the earliest call that is due; false when there is none. */
  peek(into: Time): boolean {
    return this.due.peek(into)
  }

  get dueCalls(): number {
    return this.due.size
  }

  /** Takes the earliest call that is due. */
  take(into: Int32Array): void {
    const slot = this.due.subject
    this.due.pop()
    into.set(this.slots[slot]!)
    this.slots[slot] = undefined
    this.free.push(slot)
  }
}

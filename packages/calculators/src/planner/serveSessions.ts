import type { InstanceFailure } from '@windtunnel/cost/deployment/timeline'

/** What an instance does with its sessions. Seconds. */
export interface InstanceWork {
  /** Sessions served at once. */
  readonly concurrency: number
  /** Tokens to prefill, after `contextTokens` already there. */
  readonly promptTokens: number
  readonly contextTokens: number
  readonly outputTokens: number
  readonly prefillSeconds: () => number
  /** A decode step of so many sessions whose contexts, before the step, add up to so much. */
  readonly stepSeconds: (sessions: number, contextTokens: number) => number
  readonly failure?: InstanceFailure | undefined
}

/** What became of one session. Seconds from 0. */
export interface ServedSession {
  readonly arrivedAt: number
  /** First served, even if it had to start over. */
  readonly startedAt: number
  /** Prefill of its own, the last try. */
  readonly prefillSeconds: number
  /** Decode steps it was part of, the last try. */
  readonly decodeSeconds: number
  readonly doneAt: number
  /** Longest time between two of its tokens. */
  readonly longestGap: number
}

interface Running {
  readonly session: number
  startedAt: number
  prefillSeconds: number
  decodeSeconds: number
  context: number
  left: number
  lastToken: number
  longestGap: number
}

/**
 * Serves sessions on one instance, first come first served: each is prefilled alone, then decodes in step with the others
 * that run. A failure voids the step in which it falls; what runs starts over or goes on when the instance is up again.
 */
export function serveSessions(arrivals: readonly number[], work: InstanceWork): readonly ServedSession[] {
  const served = new Map<number, ServedSession>()
  const waiting = arrivals.map((_, session) => session)
  let running: Running[] = []
  const firstStart = new Map<number, number>()
  let failure = work.failure
  let now = 0
  /** Lets a piece of work pass; says whether it was lost. */
  const pass = (duration: number): boolean => {
    const hit = failure
    if (hit === undefined || now + duration <= hit.atSeconds) {
      now += duration
      return false
    }
    failure = undefined
    const up = hit.atSeconds + hit.stallSeconds
    const struck = now < hit.atSeconds
    if (struck && hit.semantics === 'redo') {
      now = up
      return true
    }
    now = struck ? now + duration + hit.stallSeconds : Math.max(now, up) + duration
    return false
  }
  const startOver = () => {
    waiting.unshift(...running.map((one) => one.session))
    running = []
  }
  while (waiting.length > 0 || running.length > 0) {
    const next = waiting[0]
    if (next !== undefined && running.length < work.concurrency && (running.length === 0 || arrivals[next]! <= now)) {
      now = Math.max(now, arrivals[next]!)
      waiting.shift()
      const begun = begin(next, now, work)
      begun.startedAt = firstStart.get(next) ?? now
      firstStart.set(next, begun.startedAt)
      running.push(begun)
      if (begun.prefillSeconds > 0 && pass(begun.prefillSeconds)) startOver()
      else begun.lastToken = now
      running = retire(running, now, arrivals, served)
      continue
    }
    const context = running.reduce((sum, one) => sum + one.context, 0)
    const duration = work.stepSeconds(running.length, context)
    if (pass(duration)) startOver()
    for (const one of running) addToken(one, now, duration)
    running = retire(running, now, arrivals, served)
  }
  return arrivals.map((_, session) => served.get(session)!)
}

/** A prefill gives the first token; without one every token takes a step. */
function begin(session: number, now: number, work: InstanceWork): Running {
  const prefillSeconds = work.promptTokens > 0 ? work.prefillSeconds() : 0
  return {
    session,
    startedAt: now,
    prefillSeconds,
    decodeSeconds: 0,
    context: work.contextTokens + work.promptTokens,
    left: work.promptTokens > 0 ? work.outputTokens - 1 : work.outputTokens,
    lastToken: now,
    longestGap: 0,
  }
}

function addToken(one: Running, now: number, duration: number): void {
  one.context += 1
  one.left -= 1
  one.decodeSeconds += duration
  one.longestGap = Math.max(one.longestGap, now - one.lastToken)
  one.lastToken = now
}

function retire(
  running: Running[],
  now: number,
  arrivals: readonly number[],
  served: Map<number, ServedSession>,
): Running[] {
  for (const one of running) {
    if (one.left > 0) continue
    const { session, startedAt, prefillSeconds, decodeSeconds, longestGap } = one
    served.set(session, {
      arrivedAt: arrivals[session]!,
      startedAt,
      prefillSeconds,
      decodeSeconds,
      doneAt: now,
      longestGap,
    })
  }
  return running.filter((one) => one.left > 0)
}

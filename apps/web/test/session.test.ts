import type { ClientMessage, Frame, Hello, ServerMessage } from '@windtunnel/protocol'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { LiveSession } from '../src/live/session.ts'
import type { Source, SourceListener } from '../src/live/source.ts'

let flush: () => void = () => {}

class ScriptedSource implements Source {
  readonly place = 'server'
  listener: SourceListener | undefined
  readonly sent: ClientMessage[] = []
  open(listener: SourceListener): void {
    this.listener = listener
  }
  send(message: ClientMessage): void {
    this.sent.push(message)
  }
  recipe(): Promise<never> {
    return Promise.reject(new Error('none'))
  }
  retry(): void {}
  close(): void {}
  tell(...messages: ServerMessage[]): void {
    for (const message of messages) this.listener?.message(message)
  }
}

const frameAt = (time: number, waiting = 0): Frame => ({
  type: 'frame',
  run: 'demo',
  seq: time,
  time,
  wall: time,
  state: 'running',
  speed: 1,
  achievedSpeed: 1,
  window: 10,
  requests: { arrived: 1, completed: 1, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 0 },
  arrivalRate: 1,
  requestsPerSecond: 1,
  inputTokensPerSecond: 1,
  outputTokensPerSecond: 1,
  goodput: 1,
  waiting,
  transferring: 0,
  running: 1,
  batch: 1,
  kvUse: 0.5,
  preemptionsPerSecond: 0,
  router: 'roundRobin',
  scheduler: 'fcfs',
  objectives: [],
  classes: [],
  replicas: [],
  links: [],
})

const hello = (history: Frame[]): Hello => ({
  type: 'hello',
  protocol: 1,
  run: 'demo',
  runs: [],
  history,
  events: [],
  samples: [],
  scenario: {
    name: 'demo',
    seed: 1,
    model: 'm',
    pools: [],
    objectives: [],
    backend: 'roofline',
    rateSteerable: true,
    router: 'roundRobin',
    routers: [],
    schedulers: [],
    speeds: [1],
    sampledOneIn: 1,
    warnings: [],
  },
})

describe('a live session', () => {
  let source: ScriptedSource
  let session: LiveSession

  beforeEach(() => {
    const waiting: (() => void)[] = []
    vi.stubGlobal('requestAnimationFrame', (callback: () => void) => waiting.push(callback))
    flush = () => {
      for (const callback of waiting.splice(0)) callback()
    }
    source = new ScriptedSource()
    session = new LiveSession(source)
    session.open()
  })

  it('tells its listeners once per animation frame however many frames came', () => {
    const heard = vi.fn()
    session.subscribe(heard)
    source.tell(hello([frameAt(1)]), frameAt(2), frameAt(3))
    expect(heard).not.toHaveBeenCalled()
    flush()
    expect(heard).toHaveBeenCalledTimes(1)
    expect(session.state.frame?.time).toBe(3)
    expect(session.history.columns.time).toEqual([1, 2, 3])
  })

  it('lets a frame of the same virtual time take the place of the last one', () => {
    source.tell(hello([]), frameAt(1, 4), frameAt(1, 7))
    expect(session.history.columns.waiting).toEqual([7])
  })

  it('starts from nothing at a new hello', () => {
    source.tell(hello([frameAt(5)]), frameAt(6), hello([frameAt(0)]))
    flush()
    expect(session.history.columns.time).toEqual([0])
  })

  it('shows a refusal at the control it came from, until that control is used again', () => {
    source.tell(hello([frameAt(1)]))
    session.send({ type: 'router', name: 'none' })
    const id = source.sent[0]?.id ?? ''
    source.tell({ type: 'error', id, code: 'refused', message: 'no router "none"' })
    flush()
    expect(session.state.errors).toEqual({ router: 'no router "none"' })
    session.send({ type: 'router', name: 'roundRobin' })
    flush()
    expect(session.state.errors).toEqual({})
  })

  it('keeps the last figures when the stream breaks, and says so', () => {
    source.tell(hello([frameAt(1)]))
    source.listener?.lost(true, 0.5)
    flush()
    expect(session.state.connection).toBe('lost')
    expect(session.state.frame?.time).toBe(1)
  })
})

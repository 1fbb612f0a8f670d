import { RunRecorder } from '@windtunnel/metrics'
import type { ClientMessage, Frame, ServerMessage } from '@windtunnel/protocol'
import { readServerMessage } from '@windtunnel/protocol'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { Result } from 'effect'
import { describe, expect, it } from 'vitest'
import { LiveRun } from '../../src/run/liveRun.ts'
import type { RunNews } from '../../src/run/runNews.ts'
import { type FakeOptions, prepareFake } from '../fakeRun.ts'

/** A live run under a clock that the test moves. */
class Bench {
  readonly news: RunNews[] = []
  readonly run: LiveRun
  #wall = 100
  #ids = 0

  constructor(options: FakeOptions & { speed?: number | 'max' } = {}) {
    const { speed = 1, ...fake } = options
    this.run = new LiveRun({
      run: 'demo',
      prepare: prepareFake(fake),
      tell: (news) => this.news.push(news),
      clock: () => this.#wall,
      speed,
    })
  }

  play(wallSeconds: number): void {
    for (let turn = 0; turn < wallSeconds * 32; turn++) {
      this.#wall += 1 / 32
      this.run.turn()
    }
  }

  say(message: Record<string, unknown> & { type: string }): Promise<ServerMessage> {
    return this.run.command({ id: `c${this.#ids++}`, ...message } as ClientMessage)
  }

  messages<T extends ServerMessage['type']>(type: T): Extract<ServerMessage, { type: T }>[] {
    const texts = this.news.flatMap((news) => ('text' in news && news.kind !== 'reply' ? [news.text] : []))
    return texts
      .map((text) => Result.getOrThrow(readServerMessage(text)))
      .filter((message): message is Extract<ServerMessage, { type: T }> => message.type === type)
  }

  lastFrame(): Frame {
    return this.messages('frame').at(-1)!
  }
}

describe('a run played live', () => {
  it('reads the first of its traffic before time begins', async () => {
    const steps: string[] = []
    const prepared = await prepareFake({})(undefined)
    const run = new LiveRun({
      run: 'traced',
      prepare: () => Promise.resolve({ ...prepared, fill: () => Promise.resolve(void steps.push('filled')) }),
      tell: (news) => steps.push(news.kind),
      clock: () => 0,
      autostart: true,
    })
    await run.open()
    expect(steps[0]).toBe('filled')
  })

  it('waits until it is started, then keeps pace with the wall clock and tells ten frames a second', async () => {
    const bench = new Bench()
    await bench.run.open()
    bench.play(1)
    expect(bench.lastFrame()).toMatchObject({ state: 'ready', time: 0 })
    await bench.say({ type: 'start' })
    const before = bench.messages('frame').length
    bench.play(10)
    expect(Math.abs(bench.lastFrame().time - 10)).toBeLessThan(0.11)
    expect(bench.messages('frame').length - before).toBeGreaterThanOrEqual(99)
    expect(bench.messages('frame').length - before).toBeLessThanOrEqual(101)
    expect(bench.lastFrame()).toMatchObject({ state: 'running', seq: bench.messages('frame').length - 1 })
  })

  it('shows rates, percentiles, hits and cost of the last ten seconds', async () => {
    const bench = new Bench({ rate: 20, ttftLimit: 0.2 })
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(20)
    const frame = bench.lastFrame()
    expect(frame.arrivalRate).toBeCloseTo(20, 0)
    expect(frame.requestsPerSecond).toBeCloseTo(20, 0)
    expect(frame.goodput).toBeCloseTo(20, 0)
    expect(frame.outputTokensPerSecond).toBeCloseTo(340, -1)
    expect(frame.ttft!.p99).toBeCloseTo(0.125, 3)
    expect(frame.itl!.p50).toBeCloseTo(1 / 64, 4)
    expect(frame.e2e!.p50).toBeCloseTo(0.375, 3)
    expect(frame.prefixHitRate).toBeCloseTo(0.2, 9)
    // Two replicas at 3.6 dollars an hour are 0.002 dollars a second.
    expect(frame.costPerMillionTokens!).toBeCloseTo((0.002 / frame.outputTokensPerSecond) * 1e6, 9)
    expect(frame.objectives).toContainEqual({ serviceClass: 'chat', metric: 'ttft', limit: 0.2, met: 1 })
  })

  it('does what viewers ask, says when, and marks it with an event', async () => {
    const bench = new Bench()
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(1)
    const ack = await bench.say({ type: 'rate', requestsPerSecond: 50 })
    expect(ack).toMatchObject({ type: 'ack', run: 'demo' })
    expect(ack.type === 'ack' && ack.time).toBeCloseTo(1, 1)
    await bench.say({ type: 'killReplica', replica: 1 })
    await bench.say({ type: 'addReplica', pool: 'main' })
    bench.play(12)
    expect(bench.lastFrame().arrivalRate).toBeCloseTo(50, -1)
    expect(bench.lastFrame().replicas.map((replica) => `${replica.name} ${replica.state}`)).toEqual([
      'main-1 up',
      'main-2 down',
      'main-3 up',
    ])
    expect(bench.messages('event').map((event) => event.text)).toEqual([
      'started',
      'rate 20 to 50 requests/s',
      'main-2 lost',
      'replica added to main',
    ])
  })

  it('refuses what cannot be done with the reason, and goes on', async () => {
    const bench = new Bench()
    await bench.run.open()
    await bench.say({ type: 'start' })
    expect(await bench.say({ type: 'router', name: 'nonsense' })).toMatchObject({ type: 'error', code: 'refused' })
    expect(await bench.say({ type: 'step' })).toMatchObject({ type: 'error', code: 'wrongState' })
    bench.play(1)
    expect(Math.abs(bench.lastFrame().time - 1)).toBeLessThan(0.11)
  })

  it('holds time while paused, steps by events, and goes on where it was', async () => {
    const bench = new Bench()
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(2)
    await bench.say({ type: 'pause' })
    const held = bench.lastFrame().time
    bench.play(5)
    expect(bench.lastFrame()).toMatchObject({ time: held, state: 'paused' })
    await bench.say({ type: 'step', events: 3 })
    const stepped = bench.lastFrame().time
    expect(stepped).toBeGreaterThan(held)
    expect(stepped).toBeLessThan(held + 0.2)
    await bench.say({ type: 'start' })
    bench.play(1)
    expect(Math.abs(bench.lastFrame().time - stepped - 1)).toBeLessThan(0.11)
  })

  it('ends at its duration with a summary that accounts for every request, and can begin again', async () => {
    const bench = new Bench({ durationSeconds: 30, speed: 'max' })
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(1)
    const [ended, ...others] = bench.messages('ended')
    expect(others).toEqual([])
    expect(ended!.time).toBe(30)
    const { arrived, completed, unfinished } = ended!.summary.requests
    expect(arrived).toBe(600)
    expect(completed + unfinished).toBe(arrived)
    expect(ended!.reason).toContain('30 s')
    expect(await bench.say({ type: 'start' })).toMatchObject({ type: 'error', code: 'wrongState' })
    expect(await bench.say({ type: 'reset', seed: 7 })).toMatchObject({ type: 'ack', time: 0 })
    expect(bench.lastFrame()).toMatchObject({ state: 'ready', time: 0 })
    expect(bench.news.filter((news) => news.kind === 'begun').at(-1)).toMatchObject({ facts: { seed: 7 } })
  })

  it('its seed and command log replay to the same facts in one go', async () => {
    const bench = new Bench({ durationSeconds: 60, speed: 3 })
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(2.35)
    await bench.say({ type: 'rate', requestsPerSecond: 33 })
    bench.play(1)
    await bench.say({ type: 'speed', speed: 10 })
    bench.play(1)
    await bench.say({ type: 'rate', requestsPerSecond: 11 })
    await bench.say({ type: 'speed', speed: 'max' })
    bench.play(2)
    const { seed, commands } = bench.run.log()
    expect(commands.map(({ command }) => command.kind)).toEqual(['rate', 'rate'])
    const again = await prepareFake({ durationSeconds: 60 })(seed)
    const recorder = new RunRecorder().attach(again.simulation)
    const replay = commands.map(({ seconds, ticks, command }) => ({ time: { seconds, ticks }, command }))
    runBatch(again.simulation, { durationSeconds: 60, replay })
    expect(recorder.hash.digest()).toBe(bench.messages('ended')[0]!.summary.factsHash)
  })

  it('obeys commands in the order in which they came, one after the other, resets included', async () => {
    const bench = new Bench()
    await bench.run.open()
    const answers = await Promise.all([
      bench.say({ type: 'rate', requestsPerSecond: 1 }),
      bench.say({ type: 'reset', seed: 5 }),
      bench.say({ type: 'rate', requestsPerSecond: 2 }),
      bench.say({ type: 'reset', seed: 6 }),
      bench.say({ type: 'rate', requestsPerSecond: 3 }),
    ])
    expect(answers.map(({ type }) => type)).toEqual(['ack', 'ack', 'ack', 'ack', 'ack'])
    expect(bench.news.flatMap((one) => (one.kind === 'begun' ? [one.facts.seed] : []))).toEqual([42, 5, 6])
    expect(bench.run.log()).toMatchObject({ seed: 6, commands: [{ command: { requestsPerSecond: 3 } }] })
    expect(bench.news.filter(({ kind }) => kind === 'left')).toHaveLength(2)
  })

  it('goes on as it was when a reset cannot be done', async () => {
    let prepares = 0
    const news: RunNews[] = []
    const run = new LiveRun({
      run: 'demo',
      prepare: (seed) => (prepares++ === 0 ? prepareFake()(seed) : Promise.reject(new Error('the trace is gone'))),
      tell: (one) => news.push(one),
      clock: () => 0,
      autostart: true,
    })
    await run.open()
    expect(await run.command({ type: 'reset', id: '1' })).toMatchObject({ type: 'error', message: 'the trace is gone' })
    expect(run.state).toBe('running')
    expect(news.some(({ kind }) => kind === 'left')).toBe(false)
  })

  it('tells a breached objective once, and that it is kept again', async () => {
    const bench = new Bench({ ttftLimit: 0.1, speed: 10 })
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(3)
    expect(bench.messages('event').filter((event) => event.cause === 'simulation')).toMatchObject([
      { kind: 'objectiveBreached', text: 'TTFT p99 above 100 ms: 100 % of it is prefill' },
    ])
  })

  it('sends one request in ten as a sample whose phases sum to its life', async () => {
    const bench = new Bench()
    await bench.run.open()
    await bench.say({ type: 'start' })
    bench.play(5)
    const samples = bench.messages('requestSample')
    expect(samples.length).toBeGreaterThan(5)
    for (const sample of samples) {
      expect(sample.request % 10).toBe(0)
      expect(sample.queue + sample.prefill + sample.transfer + sample.decode).toBeCloseTo(0.375, 9)
    }
  })
})

import type { ClientMessage, Frame, Hello, ReplicaFrame, RequestSample, RunEvent } from '@windtunnel/protocol'
import type { Source, SourceListener } from '../live/source.ts'

/** Invented figures for working on the page without a server. Only reachable in development (`?invented`). */
export class InventedSource implements Source {
  readonly place = 'browser'
  private listener: SourceListener | undefined
  private timer: ReturnType<typeof setInterval> | undefined
  private time = 7327
  private seq = 0
  private mix = {
    streams: [
      { name: 'chat', share: 0.8 },
      { name: 'batch', share: 0.2 },
    ],
    promptScale: 1,
    outputScale: 1,
  }
  private rate = 24
  private load = 24
  private state: Frame['state'] = 'running'
  private speed: Frame['speed'] = 10
  private down = new Set<number>([12])
  private requests = 48_000

  open(listener: SourceListener): void {
    this.listener = listener
    listener.opened()
    const history: Frame[] = []
    for (let index = 0; index < 500; index += 1) {
      this.time += 1
      if (index === 330) this.rate = 38
      history.push(this.frame())
    }
    const event = (time: number, text: string, kind: RunEvent['kind'], cause: RunEvent['cause']): RunEvent => ({
      type: 'event',
      run: 'demo',
      time,
      kind,
      cause,
      text,
    })
    const hello: Hello = {
      type: 'hello',
      protocol: 1,
      run: 'demo',
      runs: [],
      scenario: {
        name: 'demo',
        seed: 42,
        model: 'Llama-3.1-70B',
        pools: [
          {
            name: 'prefill',
            role: 'prefill',
            replicas: 4,
            engine: 'disaggregated',
            scheduler: 'fcfs',
            accelerator: 'H100',
            acceleratorsPerReplica: 4,
            layout: 'TP4',
          },
          {
            name: 'generate',
            role: 'generate',
            replicas: 12,
            engine: 'disaggregated',
            scheduler: 'fcfs',
            accelerator: 'H100',
            acceleratorsPerReplica: 4,
            layout: 'TP4',
          },
        ],
        objectives: [{ serviceClass: 'default', ttft: 0.5, itl: 0.025 }],
        backend: 'roofline',
        dollarsPerAcceleratorHour: 2.5,
        arrivalRate: 24,
        maxArrivalRate: 60,
        rateSteerable: true,
        mix: this.mix,
        router: 'leastLoaded',
        routers: ['roundRobin', 'leastLoaded', 'powerOfTwo'],
        schedulers: ['fcfs', 'sjf', 'priority'],
        speeds: [1, 10, 100, 'max'],
        sampledOneIn: 40,
        warnings: [],
      },
      history,
      events: [
        event(7500, 'generate-9 lost, 61 requests retried', 'replicaKilled', 'viewer'),
        event(7657, 'rate 24 to 38 requests/s', 'rate', 'viewer'),
        event(7690, 'TTFT p99 above 500 ms', 'objectiveBreached', 'simulation'),
      ],
      samples: Array.from({ length: 12 }, () => this.sample()),
    }
    listener.message(hello)
    this.timer = setInterval(() => {
      if (this.state !== 'running') return
      this.time += 0.1 * (this.speed === 'max' ? 300 : this.speed)
      listener.message(this.frame())
      if (Math.random() < 0.4) listener.message(this.sample())
    }, 100)
  }

  send(message: ClientMessage): void {
    const said = (kind: RunEvent['kind'], text: string) =>
      this.listener?.message({ type: 'event', run: 'demo', time: this.time, kind, cause: 'viewer', text })
    if (message.type === 'rate') {
      said('rate', `rate ${this.rate} to ${message.requestsPerSecond} requests/s`)
      this.rate = message.requestsPerSecond
    } else if (message.type === 'mix') {
      const { weights, promptScale = this.mix.promptScale, outputScale = this.mix.outputScale } = message
      const streams = this.mix.streams.map(({ name, share }) => ({ name, share: weights?.[name] ?? share }))
      this.mix = { streams, promptScale, outputScale }
      said('mix', 'mix changed')
    } else if (message.type === 'pause') this.state = 'paused'
    else if (message.type === 'start') this.state = 'running'
    else if (message.type === 'speed') this.speed = message.speed
    else if (message.type === 'killReplica') {
      this.down.add(message.replica)
      said('replicaKilled', `replica ${message.replica} lost`)
    } else if (message.type === 'router') {
      this.listener?.message({
        type: 'error',
        id: message.id,
        code: 'refused',
        message: `The router "${message.name}" cannot be used here: choose one of roundRobin, leastLoaded.`,
      })
      return
    }
    this.listener?.message({ type: 'ack', id: message.id, run: 'demo', time: this.time })
    this.listener?.message(this.frame())
  }

  recipe(): Promise<never> {
    return Promise.reject(new Error('An invented run cannot be played again.'))
  }

  retry(): void {}

  close(): void {
    clearInterval(this.timer)
  }

  private sample(): RequestSample {
    const r = Math.random
    this.requests += 40
    const queue = r() * 0.3 * (this.load / 30) ** 3
    const prefill = 0.1 + r() * 0.4
    return {
      type: 'requestSample',
      run: 'demo',
      request: this.requests,
      arrival: this.time - 5,
      queue,
      prefill,
      transfer: 0.05 + r() * 0.1,
      decode: 1 + r() * 4,
      ttft: queue + prefill,
      inputTokens: 1020,
      cachedTokens: r() < 0.5 ? 0 : 340,
      outputTokens: 210,
      preemptions: 0,
      serviceClass: 'default',
      ending: r() < 0.06 ? 'timedOut' : 'completed',
    }
  }

  private frame(): Frame {
    this.seq += 1
    this.load += (this.rate - this.load) * 0.04
    const noise = (size: number) => 1 + (Math.random() - 0.5) * size
    const l = this.load / 38
    const replicas: ReplicaFrame[] = Array.from({ length: 16 }, (_, index) => {
      const prefill = index < 4
      return {
        replica: index,
        name: prefill ? `prefill-${index + 1}` : `generate-${index - 3}`,
        pool: prefill ? 'prefill' : 'generate',
        role: prefill ? 'prefill' : 'generate',
        state: this.down.has(index) ? 'down' : 'up',
        running: this.down.has(index) ? 0 : prefill ? 1 : Math.round(96 * l * noise(0.1)),
        waiting: prefill ? Math.round(10 * l ** 4) : 0,
        transferring: 0,
        kvUse: Math.min(1, 0.7 * l * noise(0.2)),
        contextTokens: 390_000,
      }
    })
    return {
      type: 'frame',
      run: 'demo',
      seq: this.seq,
      time: this.time,
      wall: this.time / 10,
      state: this.state,
      speed: this.speed,
      achievedSpeed: 10,
      window: 10,
      requests: {
        arrived: this.requests,
        completed: this.requests - 340,
        rejected: 0,
        failed: 2,
        cancelled: 0,
        timedOut: 4,
        unfinished: 334,
      },
      arrivalRate: this.load * noise(0.1),
      requestsPerSecond: this.load * noise(0.05),
      inputTokensPerSecond: 40_000,
      outputTokensPerSecond: 8940 * l * noise(0.04),
      goodput: this.load * 0.9,
      ttft: { p50: 0.188 * l * noise(0.1), p90: 0.402 * l ** 2 * noise(0.1), p99: 0.612 * l ** 2 * noise(0.1) },
      itl: {
        p50: 0.0176 * l ** 0.3 * noise(0.03),
        p90: 0.0208 * l ** 0.4 * noise(0.03),
        p99: 0.0234 * l ** 0.4 * noise(0.05),
      },
      e2e: { p50: 3.1 * l, p90: 5.2 * l * noise(0.05), p99: 7.9 * l * noise(0.1) },
      waiting: Math.round(41 * l ** 4 * noise(0.3)),
      transferring: Math.round(3 * noise(1)),
      running: 1100,
      batch: 96 * l * noise(0.03),
      kvUse: 0.71 * l * noise(0.02),
      prefixHitRate: 0.43 * noise(0.05),
      preemptionsPerSecond: 0,
      costPerMillionTokens: 0.61 / l,
      outputTokensPerSecondPerAccelerator: 186 * l,
      rate: this.rate,
      mix: this.mix,
      router: 'leastLoaded',
      scheduler: 'fcfs',
      objectives: [
        { serviceClass: 'default', metric: 'ttft', limit: 0.5, met: 0.91 },
        { serviceClass: 'default', metric: 'itl', limit: 0.025, met: 0.99 },
        { serviceClass: 'default', metric: 'all', met: 0.9 },
      ],
      classes: [],
      replicas,
      links: [
        {
          name: 'prefill to generate',
          from: 'prefill',
          to: 'generate',
          bytesPerSecond: 31e9,
          utilisation: 0.62,
          active: 3,
        },
      ],
      step: {
        replica: 5,
        seconds: 0.0179,
        kv: 0.0093,
        weights: 0.0052,
        collectives: 0.0016,
        compute: 0.0011,
        host: 0.0007,
      },
      bottleneck: 'Decode is bound by reading the KV cache: batch 96 at 4.1k context. Prefill keeps up.',
    }
  }
}

import { toSeconds } from '@windtunnel/des'
import type { Frame, RunEvent } from '@windtunnel/protocol'
import { buildFrame } from './frameBuilder.ts'
import { Pace } from './pace.ts'
import type { Playing } from './playing.ts'
import { summaryOf } from './runDocuments.ts'
import type { RunNews } from './runNews.ts'
import { sampleMessage } from './sampleMessage.ts'

const FRAME_SECONDS = 0.1
const SHORTEST_WINDOW_SECONDS = 10

export interface TellerOptions {
  readonly run: string
  readonly tell: (news: RunNews) => void
  /** Wall time in seconds from any origin. */
  readonly clock: () => number
}

/** Puts a run into words: frames on a grid of wall time, events, request samples, the end. */
export class RunTeller {
  readonly #options: TellerOptions
  readonly #pace = new Pace()
  #seq = 0
  /** Virtual seconds per wall second reached lately. */
  #achievedSpeed = 0
  /** Wall time at which the next frame of a running run is due. */
  #nextFrame = Number.NEGATIVE_INFINITY

  constructor(options: TellerOptions) {
    this.#options = options
  }

  get achievedSpeed(): number {
    return this.#achievedSpeed
  }

  begun({ prepared }: Playing): void {
    this.stood()
    this.#options.tell({ kind: 'begun', facts: prepared.facts })
  }

  /** The run stood still: its pace counts from zero. */
  stood(): void {
    this.#achievedSpeed = 0
    this.#pace.reset()
  }

  /** The run goes at another pace from now on. */
  paceChanged(): void {
    this.#pace.reset()
  }

  due(wall: number): boolean {
    return wall >= this.#nextFrame
  }

  frame(playing: Playing): Frame {
    const { run, clock, tell } = this.#options
    const wall = clock()
    this.#advanceGrid(wall)
    if (playing.state === 'running') this.#achievedSpeed = this.#pace.mark(wall, timeOf(playing))
    const { state, speed, rate, router, scheduler } = playing
    const [seq, achievedSpeed] = [this.#seq++, this.#achievedSpeed]
    const windowSeconds = Math.max(
      SHORTEST_WINDOW_SECONDS,
      Math.min(playing.window.fleet.longestSeconds, achievedSpeed),
    )
    const place = { run, seq, wall: playing.wall, state, speed, achievedSpeed, windowSeconds, rate, router, scheduler }
    const frame = buildFrame(playing, place)
    const news = { kind: 'frame', seq, time: frame.time, wall: frame.wall, state, text: JSON.stringify(frame) } as const
    tell(seq % 2 === 0 ? { ...news, thin: JSON.stringify({ ...frame, replicas: [], links: [], classes: [] }) } : news)
    this.#samples(playing)
    for (const { kind, text } of playing.incidents.watch(frame)) this.event(playing, 'simulation', kind, text)
    return frame
  }

  /** `command`: the logged command that the event tells of, JSON. */
  event(playing: Playing, cause: RunEvent['cause'], kind: RunEvent['kind'], text: string, command?: string): void {
    const event: RunEvent = { type: 'event', run: this.#options.run, time: timeOf(playing), kind, cause, text }
    const news = { kind: 'event', text: JSON.stringify(event) } as const
    this.#options.tell(command === undefined ? news : { ...news, command })
  }

  /** The run is over, with its last frame and its summary. */
  ended(playing: Playing, reason: string): void {
    const frame = this.frame(playing)
    const summary = summaryOf(playing)
    const ended = { type: 'ended', run: this.#options.run, time: frame.time, reason, frame, summary }
    this.#options.tell({ kind: 'ended', text: JSON.stringify(ended), summary })
  }

  /** The run is left for a new beginning. */
  left(playing: Playing): void {
    this.#options.tell({ kind: 'left', summary: summaryOf(playing) })
  }

  #samples({ samples, prepared }: Playing): void {
    const { run, tell } = this.#options
    for (const timeline of samples.take()) {
      const serviceClass = prepared.objectives[timeline.serviceClass]?.serviceClass ?? 'default'
      tell({ kind: 'sample', text: JSON.stringify(sampleMessage(run, timeline, serviceClass)) })
    }
  }

  /** Kept on a grid, so that ten a second are ten a second; after a pause the grid begins anew. */
  #advanceGrid(wall: number): void {
    if (wall >= this.#nextFrame + FRAME_SECONDS) this.#nextFrame = wall + FRAME_SECONDS
    else if (wall >= this.#nextFrame) this.#nextFrame += FRAME_SECONDS
  }
}

/** Virtual time of a run, seconds. */
export const timeOf = ({ prepared }: Playing): number => toSeconds(prepared.simulation.now())

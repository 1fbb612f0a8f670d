import { type ClientMessage, type ErrorMessage, readClientMessage } from '@windtunnel/protocol'
import { Result } from 'effect'
import type { Log } from '../observe/log.ts'
import type { Telemetry } from '../observe/telemetry.ts'
import { schemaSentence } from '../schemaSentence.ts'
import type { RunChannel } from './runChannel.ts'
import type { RunDirectory } from './runDirectory.ts'
import type { Viewer } from './viewer.ts'

/** Messages a viewer may send in one wall second, and unanswered at once. */
const MESSAGES_PER_SECOND = 100
const UNANSWERED = 64
const ERROR_LETTERS = 400

/** What a conversation needs of the server around it. */
export interface Surroundings {
  /** Number of the connection. */
  readonly number: number
  /** Wall time in seconds from any origin. */
  readonly clock: () => number
  readonly log: Log
  readonly span: Telemetry['span']
}

/** What one viewer says, and what it is told in answer. A bad message gets an error and the conversation goes on. */
export class Conversation {
  readonly #viewer: Viewer
  readonly #directory: RunDirectory
  readonly #surroundings: Surroundings
  #watched: RunChannel | undefined
  #second = 0
  #said = 0
  #unanswered = 0

  constructor(viewer: Viewer, directory: RunDirectory, surroundings: Surroundings) {
    this.#viewer = viewer
    this.#directory = directory
    this.#surroundings = surroundings
  }

  /** Begins with the run asked for, or the first one. */
  begin(run: string | undefined): void {
    const channel = run === undefined ? this.#directory.first() : this.#directory.get(run)
    if (channel !== undefined) this.#watch(channel)
    else this.#refuse({ code: 'unknownRun', message: this.#noSuchRun(run ?? '') })
  }

  end(): void {
    this.#watched?.leave(this.#viewer)
    this.#watched = undefined
  }

  hear(text: string): void {
    if (this.#tooFast()) {
      this.#refuse({ code: 'tooMany', message: `More than ${MESSAGES_PER_SECOND} messages a second; send fewer.` })
      return
    }
    const read = readClientMessage(text)
    if (Result.isFailure(read)) {
      const id = idOf(text)
      this.#refuse({
        code: 'badMessage',
        message: clip(schemaSentence(read.failure.message)),
        ...(id === undefined ? {} : { id }),
      })
      return
    }
    this.#obey(read.success)
  }

  /** A message that is not text. */
  hearBinary(): void {
    this.#refuse({ code: 'badMessage', message: 'Expected a text message with JSON; found a binary one.' })
  }

  #obey(message: ClientMessage): void {
    const { id } = message
    const channel = message.run === undefined ? this.#watched : this.#directory.get(message.run)
    if (channel === undefined) {
      this.#refuse({ id, code: 'unknownRun', message: this.#noSuchRun(message.run ?? '') })
      return
    }
    if (message.type === 'watch') {
      this.#watch(channel)
      this.#viewer.reply(JSON.stringify({ type: 'ack', id, run: channel.run, time: channel.entry.time }))
      return
    }
    if (this.#unanswered >= UNANSWERED) {
      this.#refuse({ id, code: 'tooMany', message: `${UNANSWERED} commands wait for their answer; wait for some.` })
      return
    }
    this.#unanswered += 1
    const { number: viewer, log, span } = this.#surroundings
    const about = { run: channel.run, viewer }
    log('info', `command ${message.type}`, about)
    span(`command ${message.type}`, about, () => channel.ask({ kind: 'command', message }))
      .then((text) => this.#viewer.reply(text))
      .catch((cause: unknown) => this.#refuse({ id, code: 'internal', message: clip(sentence(cause)) }))
      .finally(() => {
        this.#unanswered -= 1
      })
  }

  #watch(channel: RunChannel): void {
    this.#watched?.leave(this.#viewer)
    this.#watched = channel
    channel.join(this.#viewer)
  }

  #noSuchRun(run: string): string {
    const known = this.#directory.entries().map((entry) => entry.run)
    return `There is no run "${clip(run)}"; there ${known.length === 0 ? 'are none yet' : `is ${known.join(', ')}`}.`
  }

  #refuse(fault: Omit<ErrorMessage, 'type'>): void {
    this.#surroundings.log('debug', 'message refused', { viewer: this.#surroundings.number, code: fault.code })
    this.#viewer.reply(JSON.stringify({ type: 'error', ...fault }))
  }

  #tooFast(): boolean {
    const second = Math.floor(this.#surroundings.clock())
    if (second !== this.#second) {
      this.#second = second
      this.#said = 0
    }
    this.#said += 1
    return this.#said > MESSAGES_PER_SECOND
  }
}

const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const clip = (text: string): string => (text.length > ERROR_LETTERS ? `${text.slice(0, ERROR_LETTERS)}...` : text)

/** The id of a message that is wrong otherwise, so that its sender finds the error. */
function idOf(text: string): string | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined
    return typeof id === 'string' && id.length <= 64 ? id : undefined
  } catch {
    return undefined
  }
}

import type { RunEntry } from '@windtunnel/protocol'
import { RunChannel } from './runChannel.ts'

/** The runs of this server by name, in the order in which they were opened. */
export class RunDirectory {
  readonly #channels = new Map<string, RunChannel>()

  /** Makes the channel of a new run. Throws when the name is taken. */
  add(run: string): RunChannel {
    if (this.#channels.has(run)) throw new Error(`A run named "${run}" exists already; choose another name.`)
    const channel = new RunChannel(run, () => this.entries())
    this.#channels.set(run, channel)
    return channel
  }

  get(run: string): RunChannel | undefined {
    return this.#channels.get(run)
  }

  /** The run that a viewer watches when it names none: the first. */
  first(): RunChannel | undefined {
    return this.#channels.values().next().value
  }

  async remove(run: string): Promise<boolean> {
    const channel = this.#channels.get(run)
    if (channel === undefined) return false
    this.#channels.delete(run)
    await channel.close()
    return true
  }

  entries(): RunEntry[] {
    return [...this.#channels.values()].map((channel) => channel.entry)
  }

  all(): RunChannel[] {
    return [...this.#channels.values()]
  }

  async close(): Promise<void> {
    await Promise.all([...this.#channels.values()].map((channel) => channel.close()))
  }
}

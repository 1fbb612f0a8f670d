import { useEffect, useState } from 'react'
import { unpackText } from '../engine/shareLink.ts'
import { WorkerSource } from '../engine/workerSource.ts'
import { ServerSource, streamAddress } from '../live/serverSource.ts'
import { LiveSession } from '../live/session.ts'
import type { Source, SourceListener } from '../live/source.ts'
import { type DroppedTrace, droppedTrace } from '../traces/dropped.ts'
import { addressOf, type Route } from './route.ts'

/** A source that could not be opened: says why. */
class BrokenSource implements Source {
  readonly place = 'browser'
  private readonly reason: string
  constructor(reason: string) {
    this.reason = reason
  }
  open(listener: SourceListener): void {
    listener.message({ type: 'error', code: 'refused', message: this.reason })
  }
  send(): void {}
  recipe(): Promise<never> {
    return Promise.reject(new Error(this.reason))
  }
  retry(): void {}
  close(): void {}
}

/** What the live view watches: a scenario in the address runs in this page, else the run of the server that it names, or the first. */
export const sessionKeyOf = ({ view, parameters }: Route): string | undefined => {
  if (view !== 'live') return undefined
  const wanted = new URLSearchParams()
  for (const name of ['scenario', 'preset', 'trace', 'seed', 'speed', 'log']) {
    const value = parameters.get(name)
    if (value !== null) wanted.set(name, value)
  }
  if (wanted.has('scenario') || wanted.has('preset')) return wanted.toString()
  const run = parameters.get('run')
  return run === null ? '' : new URLSearchParams({ run }).toString()
}

const speedOf = (text: string | null): number | 'max' => {
  if (text === null || text === 'max') return text ?? 1
  if (Number(text) > 0 && Number(text) < Number.POSITIVE_INFINITY) return Number(text)
  throw new Error(`The address says speed=${text}: expected a number above 0 (simulated seconds per second), or max.`)
}

const seedOf = (text: string | null): number | undefined => {
  if (text === null) return undefined
  if (text.trim() !== '' && Number.isSafeInteger(Number(text)) && Number(text) >= 0) return Number(text)
  throw new Error(`The address says seed=${text}: expected a whole number of at least 0.`)
}

const scenarioText = async (parameters: URLSearchParams): Promise<string> => {
  const packed = parameters.get('scenario')
  if (packed !== null) return unpackText(packed)
  const name = parameters.get('preset') ?? ''
  const { presetNames, presetText } = await import('@windtunnel/scenario/presets/index')
  const text = presetText(name)
  if (text === undefined) throw new Error(`There is no preset "${name}"; known: ${presetNames.join(', ')}.`)
  return text
}

const traceNamed = (name: string | null): DroppedTrace | undefined => {
  if (name === null) return undefined
  const trace = droppedTrace(name)
  if (trace === undefined)
    throw new Error(
      `The trace "${name}" is no longer in this page: drop it again in the Traces view, and play it there.`,
    )
  return trace
}

/** Opens the source that a key of `sessionKeyOf` names. */
export const sourceFor = async (key: string): Promise<Source> => {
  const parameters = new URLSearchParams(key)
  const run = parameters.get('run') ?? undefined
  if (key === '' || run !== undefined) return new ServerSource(streamAddress(location), run)
  try {
    const scenario = await scenarioText(parameters)
    const seed = seedOf(parameters.get('seed'))
    const log = parameters.get('log')
    const trace = traceNamed(parameters.get('trace'))
    return new WorkerSource({
      scenario,
      ...(trace === undefined ? {} : { trace }),
      ...(log === null ? {} : { log: await unpackText(log, 'commands') }),
      speed: speedOf(parameters.get('speed')),
      ...(seed === undefined ? {} : { seed }),
    })
  } catch (cause) {
    return new BrokenSource(cause instanceof Error ? cause.message : String(cause))
  }
}

/** The session of the page, and the address of its live view: a new one whenever that is asked for another source. */
export const useLiveSession = (
  route: Route,
  first: LiveSession | undefined,
): { session: LiveSession; address: string } => {
  const wanted = sessionKeyOf(route)
  const [key, setKey] = useState(wanted ?? '')
  const [session, setSession] = useState(() => first ?? new LiveSession(sourceFor(key)))
  useEffect(() => {
    if (wanted === undefined || wanted === key) return
    setKey(wanted)
    setSession(new LiveSession(sourceFor(wanted)))
  }, [wanted, key])
  useEffect(() => {
    session.open()
    return () => session.close()
  }, [session])
  return { session, address: addressOf('live', new URLSearchParams(key)) }
}

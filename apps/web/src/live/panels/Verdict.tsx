import type { Frame, RunEvent } from '@windtunnel/protocol'
import { type ReactNode, useRef } from 'react'
import { clock, count, duration, latency, promise, type Shown, text, whole } from '../../format/quantity.ts'
import { AlertIcon, CheckIcon, DotIcon } from '../../shell/icons.tsx'
import { addressOf, useRoute } from '../../shell/route.ts'
import { useLive, useSession } from '../context.ts'
import type { Column, History } from '../history.ts'
import { marksOf } from '../marks.ts'
import { breaches, metricNames, type Promised } from '../objectives.ts'
import type { LiveSession, LiveState } from '../session.ts'
import { type Moved, sinceChange } from '../sinceChange.ts'

type Tone = 'ok' | 'bad' | 'warn' | 'calm'
interface Sentence {
  tone: Tone
  badge: string
  body: ReactNode
}

const connectionSentence = (state: LiveState, place: LiveSession['place'], retry: () => void): Sentence | undefined => {
  const again = (
    <button type="button" className="inline" onClick={retry}>
      Try again now
    </button>
  )
  if (state.connection === 'absent')
    return {
      tone: 'warn',
      badge: 'No server',
      body: (
        <>
          Nothing answers at {location.host}. Start one with <code>./windtunnel serve</code>; this page keeps trying.{' '}
          {again}, or <a href={addressOf('live', { preset: 'demo-chat', speed: '10' })}>run the demo in this page</a>.
        </>
      ),
    }
  if (state.connection === 'lost')
    return {
      tone: 'bad',
      badge: 'Disconnected',
      body: <>The stream broke; these are the last figures. Trying again every few seconds. {again}</>,
    }
  if (state.connection === 'gone')
    return {
      tone: 'warn',
      badge: 'Run closed',
      body: (
        <>
          The server has this run no more; these are its last figures. Choose another one in{' '}
          <a href={addressOf('runs')}>Runs</a>.
        </>
      ),
    }
  if (state.hello === undefined && state.errors.page !== undefined)
    return { tone: 'bad', badge: 'Not running', body: 'This run could not begin; the reason stands below.' }
  if (state.hello === undefined)
    return place === 'browser'
      ? { tone: 'calm', badge: 'Starting', body: 'Starting the engine in this page.' }
      : { tone: 'calm', badge: 'Connecting', body: 'Asking the server for the run.' }
  return undefined
}

const steering = new Set<RunEvent['kind']>([
  'rate',
  'mix',
  'router',
  'scheduler',
  'replicaAdded',
  'replicaRemoved',
  'replicaKilled',
  'reset',
])

/** How the facts of a run stand to those that the link to it promises; nothing once a viewer has changed it. */
const comparison = (state: LiveState, promised: string | undefined, factsHash: string): string => {
  if (promised === undefined) return ''
  if (promised === factsHash) return ', as the link says'
  const changed = state.events.some(({ cause, kind }) => cause === 'viewer' && steering.has(kind))
  return changed ? '' : `; the link says ${promised}: another version may have made it`
}

const endedSentence = (state: LiveState, promised: string | undefined): Sentence | undefined => {
  if (state.ended === undefined) return undefined
  const { requests, factsHash } = state.ended.summary
  return {
    tone: 'calm',
    badge: 'Ended',
    body: (
      <>
        {state.ended.reason} {whole(requests.completed)} of {whole(requests.arrived)} requests completed by{' '}
        {state.ended.time < 60 ? text(duration(state.ended.time)) : clock(state.ended.time, false)}. Facts hash{' '}
        <code>{factsHash}</code>
        {comparison(state, promised, factsHash)}.
      </>
    ),
  }
}

const brokenText = ({ metric, limit, serviceClass }: Promised): string =>
  `${serviceClass === undefined ? '' : `${serviceClass}: `}${metricNames[metric]} p99 over ${promise(limit)}`

const calmMilliseconds = 700

/** Holds a sentence long enough to be read; another badge or tone shows at once. */
const useCalm = (latest: Sentence): Sentence => {
  const shown = useRef({ sentence: latest, since: 0 })
  const now = performance.now()
  const { sentence, since } = shown.current
  if (sentence.badge !== latest.badge || sentence.tone !== latest.tone || now - since > calmMilliseconds)
    shown.current = { sentence: latest, since: now }
  return shown.current.sentence
}

/** When there is nothing to hold against a promise: no replica serves, or nothing has finished lately. */
const silentSentence = (frame: Frame): Sentence | undefined => {
  // Frames for slow viewers leave the replicas out.
  if (frame.replicas.length > 0 && frame.replicas.every(({ state }) => state === 'down' || state === 'starting'))
    return { tone: 'bad', badge: 'No replica is up', body: 'Every request waits or fails. Add a replica.' }
  if (frame.ttft !== undefined || frame.requestsPerSecond > 0) return undefined
  const inside = frame.requests.unfinished
  return {
    tone: 'calm',
    badge: 'No figures',
    body:
      inside === 0
        ? `Nothing arrived in the last ${Math.round(frame.window)} simulated seconds.`
        : `Nothing finished in the last ${Math.round(frame.window)} simulated seconds; ${whole(inside)} requests are inside.`,
  }
}

const objectiveSentence = (state: LiveState): Sentence => {
  const { frame } = state
  const scenario = state.hello?.scenario
  const body = frame?.bottleneck ?? 'Nothing bounds this fleet yet.'
  if (frame === undefined || frame.state === 'ready')
    return { tone: 'calm', badge: 'Ready', body: 'Press play (or the space key) and traffic begins to flow.' }
  if (frame.state === 'paused') return { tone: 'calm', badge: 'Paused', body }
  if (frame.requests.arrived === 0) return { tone: 'calm', badge: 'Waiting', body: 'Waiting for the first request.' }
  const silence = silentSentence(frame)
  if (silence !== undefined) return silence
  if (scenario !== undefined && scenario.objectives.length === 0) return { tone: 'calm', badge: 'No objectives', body }
  const broken = breaches(scenario, frame)
  if (broken.length === 0) return { tone: 'ok', badge: 'Meeting objectives', body }
  return {
    tone: 'bad',
    badge: broken.map(brokenText).join(', '),
    body,
  }
}

const watched: Partial<Record<Column, { name: string; show: (value: number) => Shown }>> = {
  ttftP99: { name: 'TTFT p99', show: latency },
  tpotP99: { name: 'TPOT p99', show: latency },
  outputTokensPerSecond: { name: 'output', show: (value) => count(value, 'tok/s') },
  goodput: { name: 'goodput', show: (value) => count(value, 'req/s') },
}
const watchedColumns = Object.keys(watched) as Column[]

/** Such as "TTFT p99 207 → 419 ms": the unit once where it is the same. */
const Move = ({ column, before, now }: Moved) => {
  const { name, show } = watched[column] ?? { name: column, show: (value: number) => count(value, '') }
  const [was, is] = [show(before), show(now)]
  return (
    <span>
      {name} {was.unit === is.unit ? was.digits : text(was)} → <b>{text(is)}</b>
    </span>
  )
}

/** What became of the fleet since the last change: the answer to "what if". */
const Since = ({ state, history }: { state: LiveState; history: History }) => {
  const found = state.frame === undefined ? undefined : sinceChange(marksOf(state.events), history, watchedColumns)
  if (found === undefined) return null
  return (
    <span className="since">
      Since {found.what}:{' '}
      {found.moved.map(({ column, before, now }) => (
        <Move key={column} column={column} before={before} now={now} />
      ))}
    </span>
  )
}

/** One line: is the fleet meeting its objectives, and what bounds it. Also where the state of the connection shows. */
export const Verdict = () => {
  const session = useSession()
  const state = useLive((whole) => whole)
  const promised = useRoute().parameters.get('facts') ?? undefined
  const { tone, badge, body } = useCalm(
    connectionSentence(state, session.place, () => session.retry()) ??
      endedSentence(state, promised) ??
      objectiveSentence(state),
  )
  const pageError = state.errors.page
  return (
    <div className="verdict-place">
      <div className={`panel verdict ${tone}`} role="status" aria-live="off">
        <span className="badge">
          {tone === 'ok' ? <CheckIcon /> : tone === 'calm' ? <DotIcon /> : <AlertIcon />}
          {badge}
        </span>
        <span className="sentence">{body}</span>
        <Since state={state} history={session.history} />
      </div>
      {pageError !== undefined && (
        <p className="refusal page" role="alert">
          {pageError}{' '}
          <button type="button" className="inline" onClick={() => session.clearError('page')}>
            Dismiss
          </button>
        </p>
      )}
    </div>
  )
}

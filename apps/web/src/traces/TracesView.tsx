import { type DragEvent, useEffect, useRef, useState } from 'react'
import { duration, text, threeDigits, whole } from '../format/quantity.ts'
import type { Inspection } from './inspection.ts'
import { PlayTrace } from './PlayTrace.tsx'
import { Arrivals, Lengths, Reuse } from './TraceFigures.tsx'
import type { TraceNews } from './worker.ts'

type State =
  | { kind: 'none' }
  | { kind: 'reading'; name: string; share: number }
  | { kind: 'refused'; name: string; reason: string }
  | { kind: 'read'; name: string; file: File; inspection: Inspection }

const nothingIn = ({ counts: { badRows, zeroRows, problems } }: Inspection): string =>
  `It holds no requests.${badRows > 0 ? ` ${whole(badRows)} rows could not be read; the first: ${problems[0] ?? ''}` : ''}${zeroRows > 0 ? ` ${whole(zeroRows)} rows have no tokens.` : ''}`

/** Reads one file at a time in a worker; a new file ends the reading of the one before. */
const useInspection = (): { state: State; read: (file: File) => void } => {
  const [state, setState] = useState<State>({ kind: 'none' })
  const worker = useRef<Worker | undefined>(undefined)
  useEffect(() => () => worker.current?.terminate(), [])
  const read = (file: File) => {
    worker.current?.terminate()
    const fresh = new Worker(new URL('./worker.ts', import.meta.url), {
      type: 'module',
      name: 'windtunnel trace reader',
    })
    worker.current = fresh
    setState({ kind: 'reading', name: file.name, share: 0 })
    fresh.onmessage = ({ data: news }: MessageEvent<TraceNews>) =>
      setState(
        news.kind === 'progress'
          ? { kind: 'reading', name: file.name, share: news.share }
          : news.kind === 'refused'
            ? { kind: 'refused', name: file.name, reason: news.reason }
            : news.inspection.summary.rows === 0
              ? { kind: 'refused', name: file.name, reason: nothingIn(news.inspection) }
              : { kind: 'read', name: file.name, file, inspection: news.inspection },
      )
    fresh.onerror = (event) =>
      setState({ kind: 'refused', name: file.name, reason: `The reader stopped: ${event.message}` })
    fresh.postMessage(file)
  }
  return { state, read }
}

const tokens = (value: number | undefined): string => (value === undefined ? '–' : whole(value))

const figuresOf = ({ format, summary }: Inspection): [string, string][] => [
  ['Format', format],
  ['Requests', whole(summary.rows)],
  ['Span', text(duration(summary.spanSeconds))],
  ['Rate', summary.requestsPerSecond === undefined ? '–' : `${threeDigits(summary.requestsPerSecond)} req/s`],
  ['Interarrival CV', summary.interarrivalCv === undefined ? '–' : threeDigits(summary.interarrivalCv)],
  ['Longest gap', text(duration(summary.longestGapSeconds))],
  ['Prompt tokens p50 · p99', `${tokens(summary.input.p50)} · ${tokens(summary.input.p99)}`],
  ['Answer tokens p50 · p99', `${tokens(summary.output.p50)} · ${tokens(summary.output.p99)}`],
  ['All prompt tokens', whole(summary.input.total)],
  ['All answer tokens', whole(summary.output.total)],
  ['Sessions', summary.sessions === 0 ? 'none' : whole(summary.sessions)],
  [
    'Prefix reuse',
    summary.prefix === undefined ? 'unknown' : `${(summary.prefix.tokenShare * 100).toFixed(2)} % of tokens`,
  ],
]

const Found = ({ inspection, file }: { inspection: Inspection; file: File }) => {
  const { badRows, zeroRows, blankLines, problems } = inspection.counts
  return (
    <>
      <section className="panel" aria-label="What the trace holds">
        <h2>
          <b>{file.name}</b>
        </h2>
        <dl className="run-figures">
          {figuresOf(inspection).map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {badRows + zeroRows + blankLines > 0 && (
          <p className="caption warning">
            Left out: {whole(badRows)} bad rows, {whole(zeroRows)} rows without tokens, {whole(blankLines)} blank lines.{' '}
            {problems.slice(0, 3).join(' ')}
          </p>
        )}
        <PlayTrace file={file} requestsPerSecond={inspection.summary.requestsPerSecond} inOrder={inspection.inOrder} />
      </section>
      <div className="figures thirds">
        <Arrivals inspection={inspection} />
        <Lengths inspection={inspection} />
        <Reuse inspection={inspection} />
      </div>
    </>
  )
}

/** Drop a trace: what it holds, when its requests come, how long they are, and what a prefix cache could find. */
export const TracesView = () => {
  const { state, read } = useInspection()
  const [over, setOver] = useState(false)
  const drop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const file = event.dataTransfer.files[0]
    if (file !== undefined) read(file)
  }
  return (
    <main className="page" id="view">
      <h1 className="unseen">Traces</h1>
      <label
        className={over ? 'panel drop over' : 'panel drop'}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
      >
        <b>Drop a trace here, or choose a file</b>
        <span>
          Azure CSV, Mooncake JSONL, BurstGPT, Vidur and others, also gzipped. It is read in this page and goes nowhere
          else.
        </span>
        <input
          type="file"
          aria-label="Trace file"
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) read(file)
            // So that the same file, mended, can be chosen again.
            event.currentTarget.value = ''
          }}
        />
      </label>
      {state.kind === 'reading' && (
        <p className="empty" role="status">
          Reading {state.name}: {Math.round(state.share * 100)} %{' '}
          <progress aria-label={`Reading ${state.name}`} value={state.share} max={1} />
        </p>
      )}
      {state.kind === 'refused' && (
        <p className="refusal" role="alert">
          <b>{state.name}:</b> {state.reason}
        </p>
      )}
      {state.kind === 'read' && <Found key={state.name} inspection={state.inspection} file={state.file} />}
    </main>
  )
}

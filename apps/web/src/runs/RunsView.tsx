import type { RunEntry, RunSummary } from '@windtunnel/protocol'
import { useEffect, useState } from 'react'
import { clock } from '../format/quantity.ts'
import { useLive, useSession } from '../live/context.ts'
import { addressOf, useRoute } from '../shell/route.ts'
import { apiAddress, askServer } from '../shell/server.ts'
import { KeptList } from './KeptList.tsx'
import { KeptView } from './KeptView.tsx'
import { closeRun } from './keptRuns.ts'
import { StartRun } from './StartRun.tsx'
import { SummaryFigures } from './summaryFigures.tsx'

interface Listed {
  entry: RunEntry
  summary: RunSummary | undefined
}

const listRuns = async (): Promise<Listed[]> => {
  const entries = await askServer<RunEntry[]>('/api/runs')
  return Promise.all(
    entries.map(async (entry) => ({
      entry,
      // A run that is only about to begin has no figures, and may not answer yet.
      summary:
        entry.state === 'ready'
          ? undefined
          : await askServer<RunSummary>(`/api/runs/${encodeURIComponent(entry.run)}/summary`).catch(() => undefined),
    })),
  )
}

/** The runs of the server, renewed every two seconds; or the sentence that says why there are none. */
const useRuns = (): Listed[] | string | undefined => {
  const [runs, setRuns] = useState<Listed[] | string | undefined>(undefined)
  useEffect(() => {
    let gone = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const renew = async () => {
      const found = await listRuns().catch((cause: unknown) => (cause instanceof Error ? cause.message : String(cause)))
      if (gone) return
      setRuns(found)
      timer = setTimeout(() => void renew(), 2000)
    }
    void renew()
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [])
  return runs
}

const RunPanel = ({ listed, watched, watch }: { listed: Listed; watched: boolean; watch: () => void }) => {
  const { entry, summary } = listed
  const file = `/api/runs/${encodeURIComponent(entry.run)}`
  return (
    <section className="panel run" aria-label={`Run ${entry.run}`}>
      <h2>
        <b>{entry.scenario || entry.run}</b>
        <span className="unit">
          {entry.run} · seed {summary?.seed ?? '–'}
        </span>
        <span className="end">
          {entry.state} at {clock(entry.time, false)}
        </span>
      </h2>
      {summary !== undefined && <SummaryFigures summary={summary} />}
      {(summary?.warnings.length ?? 0) > 0 && <p className="caption">{summary?.warnings.join(' ')}</p>}
      <div className="buttons">
        <button type="button" onClick={watch}>
          {watched ? 'Go to the live view' : 'Watch'}
        </button>
        <a className="quiet" href={apiAddress(`${file}/summary`)} download={`${entry.run}-summary.json`}>
          Summary, JSON
        </a>
        <a className="quiet" href={apiAddress(`${file}/log`)} download={`${entry.run}-commands.json`}>
          Command log, JSON
        </a>
        <button type="button" className="danger" onClick={() => void closeRun(entry.run)}>
          Close this run
        </button>
      </div>
    </section>
  )
}

/** The runs that live on the server: their figures so far, to watch and to take away. */
const LiveRuns = () => {
  const runs = useRuns()
  const { place } = useSession()
  const watchedRun = useLive((state) => (place === 'server' ? state.hello?.run : undefined))
  const watch = (run: string) => {
    location.hash = addressOf('live', { run })
  }
  return (
    <>
      {runs === undefined && (
        <p className="empty" role="status">
          Asking the server for its runs.
        </p>
      )}
      {typeof runs === 'string' && (
        <div className="panel verdict warn" role="status">
          <span className="badge">No runs</span>
          <span className="sentence">
            {runs} Start one with <code>./windtunnel serve</code>.
          </span>
        </div>
      )}
      {Array.isArray(runs) && runs.length === 0 && <p className="empty">The server holds no run.</p>}
      {Array.isArray(runs) &&
        runs.map((listed) => (
          <RunPanel
            key={listed.entry.run}
            listed={listed}
            watched={listed.entry.run === watchedRun}
            watch={() => watch(listed.entry.run)}
          />
        ))}
      {Array.isArray(runs) && <StartRun started={watch} />}
    </>
  )
}

/** The runs of the server: those that live, those that are kept, and kept ones opened again. */
export const RunsView = () => {
  const { parameters } = useRoute()
  const ids = (parameters.get('kept') ?? '')
    .split(',')
    .filter((id) => /^\d+$/.test(id))
    .map(Number)
  return (
    <main className="page" id="view">
      <h1 className="unseen">Runs</h1>
      {ids.length > 0 ? (
        <KeptView ids={ids} />
      ) : (
        <>
          <LiveRuns />
          <KeptList />
        </>
      )}
    </main>
  )
}

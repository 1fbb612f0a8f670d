import { useEffect, useState } from 'react'
import { ResultTable } from '../compare/ResultTable.tsx'
import { SeriesFigures } from '../compare/SeriesFigures.tsx'
import type { Found } from '../compare/study.ts'
import { recipeAddress } from '../engine/recipe.ts'
import type { RunOutcome } from '../engine/runToEnd.ts'
import { fewFrames, seriesOf } from '../engine/series.ts'
import { CopyLink } from '../shell/CopyLink.tsx'
import { addressOf } from '../shell/route.ts'
import { apiAddress } from '../shell/server.ts'
import { type KeptDocument, readKept, readKeptFrames, reopenKept } from './keptRuns.ts'
import { SummaryFigures } from './summaryFigures.tsx'

interface Opened {
  document: KeptDocument
  outcome: RunOutcome | undefined
  frames: RunOutcome['frames']
}

const open = async (id: number): Promise<Opened> => {
  const [document, frames] = await Promise.all([readKept(id), readKeptFrames(id)])
  return { document, frames, outcome: document.summary === null ? undefined : { summary: document.summary, frames } }
}

/** With frames computed anew where the run went by so fast that few were kept. */
const withSeries = async (opened: Opened, signal: AbortSignal): Promise<Opened> => {
  const { summary, scenario, log } = opened.document
  if (summary === null || opened.frames.length >= fewFrames || tracedFile(scenario) !== undefined) return opened
  const frames = await seriesOf({ scenario: JSON.stringify(scenario), log }, summary.factsHash, signal)
  return frames === undefined ? opened : { ...opened, frames, outcome: { summary, frames } }
}

const labelOf = ({ kept }: KeptDocument): string => `#${kept.id} ${kept.scenario}, seed ${kept.seed}`

const foundOf = (opened: readonly Opened[]): Found => ({
  variants: opened.map(({ document }) => ({ label: labelOf(document), overrides: '' })),
  seeds: [0],
  outcomes: opened.map(({ outcome }) => [outcome]),
  faults: [],
  done: opened.length,
  running: false,
})

/** The trace that a checked scenario replays. */
const tracedFile = (scenario: Record<string, unknown>): string | undefined =>
  (scenario as { traffic?: { trace?: { file?: string } } }).traffic?.trace?.file

const OneRun = ({ opened: { document } }: { opened: Opened }) => {
  const { kept, summary, scenario, log } = document
  const [fault, setFault] = useState<string | undefined>(undefined)
  const reopen = async () => {
    try {
      location.assign(addressOf('live', { run: await reopenKept(kept.id) }))
    } catch (cause) {
      setFault(cause instanceof Error ? cause.message : String(cause))
    }
  }
  const trace = tracedFile(scenario)
  const link = () => recipeAddress({ scenario: JSON.stringify(scenario), log }, summary?.factsHash)
  return (
    <section className="panel" aria-label={labelOf(document)}>
      <h2>
        <b>{labelOf(document)}</b>
        <span className="unit">
          {new Date(kept.startedAt).toLocaleString()} · {log.commands.length === 0 ? 'no' : log.commands.length}{' '}
          {log.commands.length === 1 ? 'command' : 'commands'}
        </span>
      </h2>
      {summary === null ? (
        <p className="empty">This run is still open, or its server died with it; its frames so far are below.</p>
      ) : (
        <SummaryFigures summary={summary} />
      )}
      <div className="buttons wrap">
        <button type="button" className="primary" onClick={() => void reopen()}>
          Open in the live view
        </button>
        <button type="button" disabled={trace !== undefined} onClick={async () => location.assign(await link())}>
          Play it in this page
        </button>
        <CopyLink label="Copy a link to it" make={link} disabled={trace !== undefined} />
        <a className="quiet" href={apiAddress(`/api/kept/${kept.id}`)} download={`run-${kept.id}.json`}>
          Everything, JSON
        </a>
      </div>
      <p className="caption">
        {trace === undefined
          ? `Live, in this page or by link: it is played again from its start${log.commands.length === 0 ? '' : ', with its commands at their times'}, to the same facts.`
          : `In this page it cannot be played: it replays the trace ${trace}, a file on the server.`}
      </p>
      {fault !== undefined && (
        <p className="refusal" role="alert">
          {fault}
        </p>
      )}
    </section>
  )
}

/** Kept runs opened again: one, or up to four side by side. */
export const KeptView = ({ ids }: { ids: readonly number[] }) => {
  const [opened, setOpened] = useState<readonly Opened[] | string | undefined>(undefined)
  const key = ids.join(',')
  useEffect(() => {
    const controller = new AbortController()
    let gone = false
    setOpened(undefined)
    Promise.all(key.split(',').map((id) => open(Number(id)))).then(
      async (found) => {
        if (gone) return
        setOpened(found)
        const full = await Promise.all(found.map((one) => withSeries(one, controller.signal)))
        if (!gone) setOpened(full)
      },
      (cause: unknown) => gone || setOpened(cause instanceof Error ? cause.message : String(cause)),
    )
    return () => {
      gone = true
      controller.abort()
    }
  }, [key])
  return (
    <>
      <p className="back">
        <a href={addressOf('runs')}>All runs</a>
      </p>
      {opened === undefined && (
        <p className="empty" role="status">
          Opening {ids.length === 1 ? 'the run' : `${ids.length} runs`}.
        </p>
      )}
      {typeof opened === 'string' && (
        <p className="refusal" role="alert">
          {opened}
        </p>
      )}
      {Array.isArray(opened) && (
        <>
          {opened.map((one: Opened) => (
            <OneRun key={one.document.kept.id} opened={one} />
          ))}
          {opened.length > 1 && <ResultTable found={foundOf(opened)} />}
          <SeriesFigures series={opened.map((one: Opened) => ({ label: labelOf(one.document), frames: one.frames }))} />
        </>
      )}
    </>
  )
}

import type { RunSummary } from '@windtunnel/protocol'
import { SummaryFigures } from '../../runs/summaryFigures.tsx'
import { useLive, useSession } from '../context.ts'
import { ShareRun } from './ShareRun.tsx'

/** The figures of a run that has ended, in the place of its controls, and the ways to begin again. */
export const Finished = ({ summary }: { summary: RunSummary }) => {
  const session = useSession()
  const error = useLive((state) => state.errors.reset)
  return (
    <section className="panel steer" aria-label="The whole run">
      <h2>
        <b>The whole run</b>
        <span className="end">seed {summary.seed}</span>
      </h2>
      <SummaryFigures summary={summary} narrow />
      <div className="buttons">
        <button type="button" onClick={() => session.send({ type: 'reset' })}>
          Run again
        </button>
        <button type="button" onClick={() => session.send({ type: 'reset', seed: summary.seed + 1 })}>
          With seed {summary.seed + 1}
        </button>
        <ShareRun />
      </div>
      {error !== undefined && (
        <p className="refusal" role="alert">
          {error}
        </p>
      )}
    </section>
  )
}

import { useLive } from './context.ts'
import { Charts } from './panels/Charts.tsx'
import { Classes } from './panels/Classes.tsx'
import { Events } from './panels/Events.tsx'
import { Finished } from './panels/Finished.tsx'
import { Fleet } from './panels/Fleet.tsx'
import { KeyNumbers } from './panels/KeyNumbers.tsx'
import { Notes } from './panels/Notes.tsx'
import { Objectives } from './panels/Objectives.tsx'
import { Steer } from './panels/Steer.tsx'
import { StepParts } from './panels/StepParts.tsx'
import { Totals } from './panels/Totals.tsx'
import { Verdict } from './panels/Verdict.tsx'
import { Waterfall } from './panels/Waterfall.tsx'
import { useFullHistory } from './useFullHistory.ts'

/** The fleet as it runs: are we meeting objectives, where does it hurt, why, and the handles to change it. */
export const LiveView = () => {
  const ended = useLive((state) => state.ended)
  useFullHistory()
  const connection = useLive((state) => state.connection)
  return (
    <main className={`live ${connection === 'gone' ? 'lost' : connection}`} id="view">
      <h1 className="unseen">Live view</h1>
      <div className="col">
        <Verdict />
        <KeyNumbers />
        <Charts />
        <Fleet />
        <Waterfall />
      </div>
      <div className="col side">
        {ended === undefined ? <Steer /> : <Finished summary={ended.summary} />}
        <StepParts />
        <Objectives />
        <Classes />
        <Totals />
        <Events />
        <Notes />
      </div>
    </main>
  )
}

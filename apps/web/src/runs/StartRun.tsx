import { useState } from 'react'
import { savedDraft } from '../scenario/draft.ts'
import { draftName, ScenarioChoice } from '../scenario/ScenarioChoice.tsx'
import { openRun } from './keptRuns.ts'

/** Starts another run on the server. */
export const StartRun = ({ started }: { started: (run: string) => void }) => {
  const [choice, setChoice] = useState('demo-chat')
  const [fault, setFault] = useState<string | undefined>(undefined)
  const start = async () => {
    setFault(undefined)
    try {
      started(await openRun(choice === draftName ? { scenario: savedDraft() ?? '' } : { preset: choice }))
    } catch (cause) {
      setFault(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return (
    <form
      className="panel choices"
      aria-label="Start a run on the server"
      onSubmit={(event) => {
        event.preventDefault()
        void start()
      }}
    >
      <ScenarioChoice id="start" label="Start another run on the server" choice={choice} choose={setChoice} />
      <div className="buttons end">
        <button type="submit" className="primary">
          Start
        </button>
      </div>
      {fault !== undefined && (
        <p className="refusal wide" role="alert">
          {fault}
        </p>
      )}
    </form>
  )
}

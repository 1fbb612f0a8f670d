import { presetList } from '@windtunnel/scenario/presets/index'
import { useState } from 'react'
import { savedDraft } from '../scenario/draft.ts'
import { openRun } from './keptRuns.ts'

const draftName = 'your scenario'

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
      <div className="field">
        <label htmlFor="start">Start another run on the server</label>
        <select id="start" value={choice} onChange={(event) => setChoice(event.currentTarget.value)}>
          {savedDraft() !== undefined && <option>{draftName}</option>}
          {presetList.map((preset) => (
            <option key={preset.name} title={preset.sentence}>
              {preset.name}
            </option>
          ))}
        </select>
      </div>
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

import { presetList, presetText } from '@windtunnel/scenario/presets/index'
import { useState } from 'react'
import { packText } from '../engine/shareLink.ts'
import { savedDraft } from '../scenario/draft.ts'
import { addressOf } from '../shell/route.ts'
import { type DroppedTrace, keepDropped } from './dropped.ts'
import { tracedScenario } from './tracedScenario.ts'

const draftName = 'your scenario'

/** Plays the dropped trace as live traffic on the fleet of a scenario. */
export const PlayTrace = ({ file, requestsPerSecond, inOrder }: DroppedTrace) => {
  const [choice, setChoice] = useState(savedDraft() === undefined ? 'demo-chat' : draftName)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const play = async () => {
    try {
      const text = (choice === draftName ? savedDraft() : presetText(choice)) ?? ''
      const scenario = await packText(
        tracedScenario(text, { name: file.name, timed: requestsPerSecond !== undefined, inOrder }),
      )
      keepDropped({ file, requestsPerSecond, inOrder })
      location.assign(addressOf('live', { scenario, trace: file.name, speed: '10' }))
    } catch (cause) {
      setFault(cause instanceof Error ? cause.message : String(cause))
    }
  }
  return (
    <div className="drop-play">
      <div className="field">
        <label htmlFor="trace-fleet">Play it on the fleet of</label>
        <select id="trace-fleet" value={choice} onChange={(event) => setChoice(event.currentTarget.value)}>
          {savedDraft() !== undefined && <option>{draftName}</option>}
          {presetList.map((preset) => (
            <option key={preset.name} title={preset.sentence}>
              {preset.name}
            </option>
          ))}
        </select>
      </div>
      <div className="buttons">
        <button type="button" className="primary" onClick={() => void play()}>
          Play as live traffic
        </button>
      </div>
      {fault !== undefined && (
        <p className="refusal" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

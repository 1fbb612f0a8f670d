import { presetText } from '@windtunnel/scenario/presets/index'
import { useState } from 'react'
import { packText } from '../engine/shareLink.ts'
import { savedDraft } from '../scenario/draft.ts'
import { draftName, ScenarioChoice } from '../scenario/ScenarioChoice.tsx'
import { addressOf } from '../shell/route.ts'
import { type DroppedTrace, keepDropped } from './dropped.ts'
import { tracedScenario } from './tracedScenario.ts'

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
      <ScenarioChoice id="trace-fleet" label="Play it on the fleet of" choice={choice} choose={setChoice} />
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

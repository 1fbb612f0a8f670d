import { presetList } from '@windtunnel/scenario/presets/index'
import { savedDraft } from './draft.ts'

/** What the scenario that is being written in the page is called in a list of presets. */
export const draftName = 'your scenario'

/** A choice among the presets and, where there is one, the scenario that is being written. */
export const ScenarioChoice = (props: {
  id: string
  label: string
  choice: string
  choose: (choice: string) => void
}) => (
  <div className="field">
    <label htmlFor={props.id}>{props.label}</label>
    <select id={props.id} value={props.choice} onChange={(event) => props.choose(event.currentTarget.value)}>
      {savedDraft() !== undefined && <option>{draftName}</option>}
      {presetList.map((preset) => (
        <option key={preset.name} title={preset.sentence}>
          {preset.name}
        </option>
      ))}
    </select>
  </div>
)

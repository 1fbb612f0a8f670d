import { presetList, presetText } from '@windtunnel/scenario/presets/index'
import { starterText } from '@windtunnel/scenario/reference/starter'
import { type RefObject, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { packText } from '../engine/shareLink.ts'
import { CopyLink } from '../shell/CopyLink.tsx'
import { addressOf } from '../shell/route.ts'
import { type Checked, checkScenarioText } from './check.ts'
import { saveDraft, savedDraft } from './draft.ts'
import { OptionList } from './OptionList.tsx'

const goToLine = (editor: HTMLTextAreaElement | null, line: number): void => {
  if (editor === null) return
  const lines = editor.value.split('\n')
  const start = lines.slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0)
  editor.focus()
  editor.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0))
}

const download = (text: string): void => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }))
  link.download = 'scenario.yaml'
  link.click()
  URL.revokeObjectURL(link.href)
}

const Verdict = ({ checked, editor }: { checked: Checked; editor: RefObject<HTMLTextAreaElement | null> }) =>
  checked.ok ? (
    <section className="panel" aria-label="Check" aria-live="polite">
      <h2>
        <b>Ready to run</b>
      </h2>
      {checked.facts.map((fact) => (
        <p key={fact} className="caption">
          {fact}
        </p>
      ))}
      {checked.warnings.map((warning) => (
        <p key={warning} className="caption warning">
          {warning}
        </p>
      ))}
    </section>
  ) : (
    <section className="panel" aria-label="Check" aria-live="polite">
      <h2>
        <b>{checked.faults.length === 1 ? 'One thing to mend' : `${checked.faults.length} things to mend`}</b>
      </h2>
      <ol className="faults">
        {checked.faults.map((fault) => (
          <li key={`${fault.line}/${fault.where}/${fault.message}`} className="refusal">
            {fault.line !== undefined && (
              <button type="button" className="inline" onClick={() => goToLine(editor.current, fault.line ?? 1)}>
                line {fault.line}
              </button>
            )}{' '}
            {fault.where !== '' && <code>{fault.where}</code>} {fault.message}
          </li>
        ))}
      </ol>
    </section>
  )

/** The key that the line of the cursor sets, to look up its help. */
const keyAtCursor = (editor: HTMLTextAreaElement): string => {
  const before = editor.value.slice(0, editor.selectionStart)
  const line = editor.value.split('\n')[before.split('\n').length - 1] ?? ''
  return /^[\s-]*([A-Za-z]+)\s*:/.exec(line)?.[1] ?? ''
}

const Actions = ({ text, ready, load }: { text: string; ready: boolean; load: (text: string) => void }) => {
  const link = async (speed: string) => addressOf('live', { scenario: await packText(text), speed })
  return (
    <div className="buttons wrap">
      <button
        type="button"
        className="primary"
        disabled={!ready}
        onClick={async () => location.assign(await link('10'))}
      >
        Play in this page
      </button>
      <CopyLink label="Copy link" make={() => link('10')} disabled={!ready} />
      <button type="button" onClick={() => location.assign(addressOf('compare'))} disabled={!ready}>
        Compare variants
      </button>
      <label className="quiet file">
        Import
        <input
          type="file"
          accept=".yaml,.yml,.json,text/*"
          onChange={async (event) => {
            const file = event.currentTarget.files?.[0]
            if (file !== undefined) load(await file.text())
          }}
        />
      </label>
      <button type="button" onClick={() => download(text)}>
        Export
      </button>
    </div>
  )
}

/** The scenario as a text, checked while it is written, with the help of every option beside it. */
export const ScenarioView = () => {
  const editor = useRef<HTMLTextAreaElement>(null)
  const [text, setText] = useState(() => savedDraft() ?? starterText)
  const [about, setAbout] = useState('')
  /** What stood here before a preset or a file took its place. */
  const [replaced, setReplaced] = useState<string | undefined>(undefined)
  const load = (next: string) => {
    if (next === text) return
    setReplaced(text)
    setText(next)
  }
  const settled = useDeferredValue(text)
  const checked = useMemo(() => checkScenarioText(settled), [settled])
  useEffect(() => saveDraft(text), [text])
  return (
    <main className="scenario" id="view">
      <h1 className="unseen">Scenario</h1>
      <section className="panel editor" aria-label="Scenario text">
        <h2>
          <b>Scenario</b>
          {replaced !== undefined && (
            <button
              type="button"
              className="inline"
              onClick={() => {
                setText(replaced)
                setReplaced(undefined)
              }}
            >
              Bring back my text
            </button>
          )}
          <label htmlFor="preset" className="end">
            Begin with
          </label>
          <select id="preset" value="" onChange={(event) => load(presetText(event.currentTarget.value) ?? starterText)}>
            <option value="">a preset…</option>
            {presetList.map((preset) => (
              <option key={preset.name} value={preset.name} title={preset.sentence}>
                {preset.name}
              </option>
            ))}
          </select>
        </h2>
        <textarea
          ref={editor}
          aria-label="Scenario, YAML or JSON"
          spellCheck={false}
          autoCapitalize="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          onSelect={(event) => setAbout(keyAtCursor(event.currentTarget))}
        />
        <Actions text={text} ready={checked.ok} load={load} />
      </section>
      <div className="col">
        <Verdict checked={checked} editor={editor} />
        <OptionList about={about} />
      </div>
    </main>
  )
}

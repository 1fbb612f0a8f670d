import { presetList, presetText } from '@windtunnel/scenario/presets/index'
import { useState } from 'react'
import { savedDraft } from '../scenario/draft.ts'
import { addressOf } from '../shell/route.ts'
import { ResultTable } from './ResultTable.tsx'
import { SeriesFigures, variantColours } from './SeriesFigures.tsx'
import { linesOf, useStudy, type Variant } from './study.ts'

const draftName = 'your scenario'

const textOf = (base: string): string => (base === draftName ? savedDraft() : presetText(base)) ?? ''

/** The scenario as it is, against another router than its own: a question that every scenario can be asked. */
const firstVariants = (text: string): readonly Draft[] => {
  const name = /^router:\s*(?!round-robin)\S/m.test(text) ? 'round-robin' : 'least-loaded'
  return [
    { label: 'as it is', overrides: '' },
    { label: name.replace('-', ' '), overrides: `router=${name}` },
  ]
}

/** A variant as it is written; its name follows its changes until somebody names it. */
interface Draft extends Variant {
  named?: boolean
}

const longestName = 40
const nameOf = (overrides: string): string => {
  const changes = linesOf(overrides).join(', ')
  if (changes === '') return 'as it is'
  return changes.length > longestName ? `${changes.slice(0, longestName)}…` : changes
}

const VariantForm = ({
  variant,
  index,
  change,
  remove,
}: {
  variant: Draft
  index: number
  change: (variant: Draft) => void
  remove: (() => void) | undefined
}) => (
  <fieldset className="panel variant">
    <legend className="unseen">Variant {index + 1}</legend>
    <h2>
      <i className="swatch" style={{ background: variantColours[index] }} />
      <input
        aria-label={`Name of variant ${index + 1}`}
        value={variant.label}
        onChange={(event) => change({ ...variant, label: event.currentTarget.value, named: true })}
      />
      {remove !== undefined && (
        <button type="button" className="plain" aria-label={`Remove variant ${index + 1}`} onClick={remove}>
          ×
        </button>
      )}
    </h2>
    <textarea
      aria-label={`Changes of variant ${index + 1}, one path=value a line`}
      placeholder={'no changes\nfleet[0].replicas=8\ntraffic.arrivals.requestsPerSecond=40'}
      spellCheck={false}
      rows={3}
      value={variant.overrides}
      onChange={(event) => {
        const overrides = event.currentTarget.value
        change({ ...variant, overrides, label: variant.named === true ? variant.label : nameOf(overrides) })
      }}
    />
  </fieldset>
)

/** Two to four variants of a scenario on the same traffic, over a few seeds. */
export const CompareView = () => {
  const [base, setBase] = useState(savedDraft() === undefined ? 'demo-chat' : draftName)
  const [variants, setVariants] = useState(() => firstVariants(textOf(base)))
  const [seedCount, setSeedCount] = useState(3)
  const [seconds, setSeconds] = useState<number | undefined>(600)
  const { found, start, stop } = useStudy()
  const change = (index: number) => (variant: Draft) =>
    setVariants(variants.map((one, at) => (at === index ? variant : one)))
  const total = (found?.variants.length ?? 0) * (found?.seeds.length ?? 0)
  const run = () => {
    const line = seconds === undefined ? '' : `\nrun.durationSeconds=${seconds}`
    const timed = variants.map((variant) => ({ ...variant, overrides: `${variant.overrides}${line}` }))
    const seeds = Array.from({ length: seedCount }, (_, index) => index + 1)
    start(textOf(base), timed, seeds)
  }
  return (
    <main className="page" id="view">
      <h1 className="unseen">Compare</h1>
      <form
        className="panel choices"
        aria-label="What to compare"
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <div className="field broad">
          <label htmlFor="base">Scenario</label>
          <select id="base" value={base} onChange={(event) => setBase(event.currentTarget.value)}>
            {savedDraft() !== undefined && <option>{draftName}</option>}
            {presetList.map((preset) => (
              <option key={preset.name}>{preset.name}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="seeds">Seeds</label>
          <select id="seeds" value={seedCount} onChange={(event) => setSeedCount(Number(event.currentTarget.value))}>
            {[1, 2, 3, 5, 8, 12].map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="seconds">Simulated time</label>
          <select
            id="seconds"
            value={seconds ?? ''}
            onChange={(event) =>
              setSeconds(event.currentTarget.value === '' ? undefined : Number(event.currentTarget.value))
            }
          >
            {[60, 300, 600, 1800].map((one) => (
              <option key={one} value={one}>
                {one / 60} min
              </option>
            ))}
            <option value="">as in the scenario</option>
          </select>
        </div>
        <div className="buttons end">
          <button type="submit" className="primary" disabled={found?.running === true}>
            Run {variants.length * seedCount} simulations
          </button>
          {found?.running === true && (
            <button type="button" onClick={stop}>
              Stop
            </button>
          )}
          <button
            type="button"
            disabled={variants.length >= 4}
            onClick={() => setVariants([...variants, { label: `variant ${variants.length + 1}`, overrides: '' }])}
          >
            Add a variant
          </button>
        </div>
        <progress aria-label="Simulations done" value={found?.done ?? 0} max={Math.max(1, total)} />
      </form>
      <div className="variants">
        {variants.map((variant, index) => (
          <VariantForm
            // Variants have no identity beyond their place.
            key={String(index)}
            variant={variant}
            index={index}
            change={change(index)}
            remove={
              variants.length > 2 && index > 0 ? () => setVariants(variants.filter((_, at) => at !== index)) : undefined
            }
          />
        ))}
      </div>
      {found?.faults.map(
        (fault, index) =>
          fault !== undefined && (
            <p className="refusal" role="alert" key={found.variants[index]?.label}>
              <b>{found.variants[index]?.label}:</b> {fault}
            </p>
          ),
      )}
      {found === undefined ? (
        <p className="empty">
          Each line changes one option, such as <code>router=round-robin</code> or <code>fleet[0].replicas=8</code>; the
          same seed gives every variant the same traffic. Everything runs in this page. Edit the scenario itself in{' '}
          <a href={addressOf('scenario')}>Scenario</a>.
        </p>
      ) : (
        <>
          <ResultTable found={found} />
          <SeriesFigures
            series={found.variants.map(({ label }, index) => ({
              label,
              frames: found.outcomes[index]?.[0]?.frames ?? [],
            }))}
          />
        </>
      )}
    </main>
  )
}

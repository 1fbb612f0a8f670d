import { kvCapacity } from '@windtunnel/cost/memory/kvCapacity'
import { type StepDtype, stepDtypeNames } from '@windtunnel/cost/step/dtypes'
import { acceleratorNames, acceleratorSpecs } from '@windtunnel/hardware'
import { modelNames, presets } from '@windtunnel/models'
import { type ReactNode, useId, useState } from 'react'
import { duration, percent, text, threeDigits, whole } from '../format/quantity.ts'
import { rememberInAddress, useRoute } from '../shell/route.ts'
import {
  type Amount,
  amountIn,
  amountSentence,
  backends,
  type Choice,
  contexts,
  parametersOf,
  readChoice,
  tpDegrees,
} from './choice.ts'
import { type Deployment, decodePoint, deploymentOf, mostSequences } from './deployment.ts'
import { FleetFront } from './FleetFront.tsx'
import { CostOverBatch, LatencyThroughput, Roofline, StepOverBatch } from './figures.tsx'
import { MemoryPerCard } from './MemoryPerCard.tsx'

const Field = ({
  label,
  broad = false,
  children,
}: {
  label: string
  broad?: boolean
  children: (id: string) => ReactNode
}) => {
  const id = useId()
  return (
    <div className={broad ? 'field broad' : 'field'}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
    </div>
  )
}

const Pick = <Value extends string | number>({
  label,
  value,
  values,
  name,
  broad = false,
  choose,
}: {
  label: string
  broad?: boolean
  value: Value
  values: readonly Value[]
  name?: (value: Value) => string
  choose: (value: Value) => void
}) => (
  <Field label={label} broad={broad}>
    {(id) => (
      <select
        id={id}
        value={value}
        onChange={(event) => choose(values.find((one) => String(one) === event.currentTarget.value) ?? value)}
      >
        {values.map((one) => (
          <option key={one} value={one}>
            {name?.(one) ?? one}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** A number that is typed; one that cannot be is told so, and changes nothing. */
const AmountField = ({
  label,
  name,
  value,
  placeholder,
  change,
}: {
  label: string
  name: Amount
  value: number | undefined
  placeholder?: string
  change: (value: number | undefined) => void
}) => {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const shown = typed ?? String(value ?? '')
  const optional = placeholder !== undefined
  const wrong = (shown.trim() !== '' || !optional) && amountIn(name, shown) === undefined
  const type = (text: string) => {
    const number = amountIn(name, text)
    setTyped(number !== undefined && String(number) === text ? undefined : text)
    if (number !== undefined || (optional && text.trim() === '')) change(number)
  }
  return (
    <Field label={label}>
      {(id) => (
        <>
          <input
            id={id}
            inputMode="decimal"
            value={shown}
            placeholder={placeholder}
            aria-invalid={wrong}
            onChange={(event) => type(event.currentTarget.value)}
            onBlur={() => wrong || setTyped(undefined)}
          />
          {wrong && <p className="refusal">Expected {amountSentence(name)}.</p>}
        </>
      )}
    </Field>
  )
}

const Choices = ({ choice, change }: { choice: Choice; change: (part: Partial<Choice>) => void }) => (
  <form className="panel choices" aria-label="What to explore" onSubmit={(event) => event.preventDefault()}>
    <Pick
      label="Model"
      broad
      value={choice.model}
      values={modelNames as readonly string[]}
      name={(name) => presets[name as keyof typeof presets].title.replace(/^.*\//, '')}
      choose={(model) => change({ model })}
    />
    <Pick
      label="Accelerator"
      broad
      value={choice.accelerator}
      values={acceleratorNames as readonly string[]}
      name={(name) => acceleratorSpecs[name as keyof typeof acceleratorSpecs].title}
      choose={(accelerator) => change({ accelerator })}
    />
    <Pick label="Tensor parallel" value={choice.tp} values={tpDegrees} choose={(tp) => change({ tp })} />
    <Pick<StepDtype>
      label="Weights"
      value={choice.weights}
      values={stepDtypeNames}
      choose={(weights) => change({ weights })}
    />
    <Pick<StepDtype>
      label="KV cache"
      value={choice.keyValues}
      values={stepDtypeNames}
      choose={(keyValues) => change({ keyValues })}
    />
    <Pick<number>
      label="Context, tokens"
      value={choice.contextTokens}
      values={contexts}
      name={whole}
      choose={(contextTokens) => change({ contextTokens })}
    />
    <AmountField
      label="Batch, seqs"
      name="batch"
      value={choice.batch}
      change={(batch) => batch !== undefined && change({ batch })}
    />
    <AmountField
      label="Load, tokens/s"
      name="load"
      value={choice.load}
      change={(load) => load !== undefined && change({ load })}
    />
    <Pick label="Step times" value={choice.backend} values={backends} choose={(backend) => change({ backend })} />
    <AmountField
      label="Price, $/chip-h"
      name="price"
      value={choice.price}
      placeholder="list price"
      change={(price) => change({ price })}
    />
  </form>
)

/** Why the model does not fit, with the smallest layout that would, in the words of the cost package. */
const whyNot = ({ architecture, accelerator, choice }: Deployment): string | undefined => {
  try {
    kvCapacity({
      architecture,
      accelerator,
      layout: { tp: choice.tp },
      dtypes: { weights: choice.weights, keyValues: choice.keyValues },
    })
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The answer in one line: what a token takes and costs at the chosen batch, and what bounds it. */
const Answer = ({ deployment }: { deployment: Deployment }) => {
  const { choice, capacity } = deployment
  const unfit = capacity.blocks === 0 ? whyNot(deployment) : undefined
  if (unfit !== undefined)
    return (
      <div className="panel verdict bad" role="status">
        <span className="badge">Does not fit</span>
        <span className="sentence">{unfit}</span>
      </div>
    )
  const most = mostSequences(deployment, choice.contextTokens)
  const point = decodePoint(deployment, choice.batch, choice.contextTokens)
  const [largest, seconds] = (Object.entries(point.parts) as [string, number][]).reduce((a, b) => (b[1] > a[1] ? b : a))
  const names: Record<string, string> = {
    kv: 'reading the KV cache',
    weights: 'reading weights',
    compute: 'compute',
    collectives: 'collectives',
    host: 'the host',
  }
  return (
    <div className={`panel verdict ${choice.batch > most ? 'warn' : 'calm'}`} role="status">
      <span className="badge">Batch {whole(choice.batch)}</span>
      <span className="sentence">
        A token takes {text(duration(point.seconds))}; {threeDigits(point.tokensPerSecondPerChip)} tokens/s an
        accelerator
        {point.usdPerMillion === undefined ? '' : `, $${threeDigits(point.usdPerMillion)} per million`}.{' '}
        {text(percent(seconds / point.seconds))} of the step is {names[largest] ?? largest}.{' '}
        {choice.batch > most
          ? `But the KV of only ${whole(most)} such sequences fits.`
          : `The KV of ${whole(most)} such sequences fits.`}
      </span>
    </div>
  )
}

/** Questions that need no simulation: latency, throughput, cost and memory of one replica, from the step cost alone. */
export const ExploreView = () => {
  const { parameters } = useRoute()
  const { choice, misread } = readChoice(parameters)
  const change = (part: Partial<Choice>) => rememberInAddress('explore', parametersOf({ ...choice, ...part }))
  const deployment = deploymentOf(choice)
  return (
    <main className="explore" id="view">
      <h1 className="unseen">Explore</h1>
      <Choices choice={choice} change={change} />
      {misread.length > 0 && (
        <p className="refusal" role="alert">
          The address says what is not known here: {misread.join(', ')}. Shown is the usual choice instead.
        </p>
      )}
      {typeof deployment === 'string' ? (
        <div className="panel verdict bad" role="status">
          <span className="badge">Not possible</span>
          <span className="sentence">{deployment}</span>
        </div>
      ) : (
        <>
          <Answer deployment={deployment} />
          <div className="figures">
            {mostSequences(deployment, choice.contextTokens) >= 1 && (
              <>
                <LatencyThroughput deployment={deployment} />
                <StepOverBatch deployment={deployment} />
                <CostOverBatch deployment={deployment} />
                <FleetFront deployment={deployment} />
              </>
            )}
            <Roofline deployment={deployment} />
            <MemoryPerCard deployment={deployment} />
          </div>
        </>
      )}
    </main>
  )
}

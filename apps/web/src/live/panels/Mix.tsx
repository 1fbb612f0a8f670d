import type { TrafficMix } from '@windtunnel/protocol'
import { threeDigits } from '../../format/quantity.ts'
import { useLive, useSession } from '../context.ts'
import { wholePercents, withShare } from '../shares.ts'
import { Refusal } from './Refusal.tsx'
import { useAsked } from './useAsked.ts'

const dragPauseMilliseconds = 150

const sharesOf = (mix: TrafficMix | undefined): number[] | undefined => {
  const shares = mix?.streams.map(({ share }) => share)
  return shares === undefined || shares.some((share) => share === undefined) ? undefined : (shares as number[])
}

const near = (a: number, b: number): boolean => Math.abs(a - b) < 1e-6

/** A slider for every stream of traffic; their shares add up to 100 %. */
const Shares = ({ mix, live }: { mix: TrafficMix; live: boolean }) => {
  const session = useSession()
  const names = mix.streams.map(({ name }) => name)
  const said = sharesOf(mix)
  const { shown, ask } = useAsked(
    said ?? [],
    (a, b) => a.length === b.length && a.every((share, at) => near(share, b[at] ?? 0)),
    (shares) =>
      session.send({ type: 'mix', weights: Object.fromEntries(names.map((name, at) => [name, shares[at] ?? 0])) }),
  )
  if (said === undefined) return <p className="hint">A closed loop or a batch takes part: shares cannot be set.</p>
  const percents = wholePercents(shown)
  return (
    <>
      {names.map((name, at) => (
        <div className="mix-row" key={name}>
          <label htmlFor={`mix-${at}`}>{name}</label>
          <input
            id={`mix-${at}`}
            type="range"
            min={0}
            max={100}
            step={1}
            value={percents[at] ?? 0}
            disabled={!live}
            aria-valuetext={`${percents[at]} % of the arrivals`}
            onChange={(event) =>
              ask(withShare(shown, at, event.currentTarget.valueAsNumber / 100), dragPauseMilliseconds)
            }
          />
          <output htmlFor={`mix-${at}`}>{percents[at]} %</output>
        </div>
      ))}
    </>
  )
}

/** Steps of a slider on a scale of powers of two: four to a doubling, from an eighth to eight times. */
const stepsPerDoubling = 4
const mostSteps = 3 * stepsPerDoubling
const factorAt = (step: number): number => Number((2 ** (step / stepsPerDoubling)).toPrecision(3))
const stepOf = (factor: number): number => Math.log2(factor) * stepsPerDoubling

const LengthScale = ({
  label,
  field,
  factor,
  live,
}: {
  label: string
  field: 'promptScale' | 'outputScale'
  factor: number
  live: boolean
}) => {
  const session = useSession()
  const { shown, ask } = useAsked(factor, near, (value) => session.send({ type: 'mix', [field]: value }))
  return (
    <div className="row length">
      <label htmlFor={field}>{label}</label>
      <output htmlFor={field}>×{threeDigits(shown)}</output>
      <input
        id={field}
        type="range"
        min={-mostSteps}
        max={mostSteps}
        step={1}
        value={stepOf(shown)}
        disabled={!live}
        aria-valuetext={`${threeDigits(shown)} times what the scenario says`}
        onChange={(event) => ask(factorAt(event.currentTarget.valueAsNumber), dragPauseMilliseconds)}
        onDoubleClick={() => ask(1, 0)}
      />
    </div>
  )
}

/** What the traffic is made of: shares of its streams where there are several, and how long its texts are. */
export const Mix = () => {
  const mix = useLive((state) => state.frame?.mix ?? state.hello?.scenario.mix)
  const live = useLive((state) => state.connection === 'live')
  if (mix === undefined) return null
  return (
    <fieldset className="mix-control">
      <legend>Mix of traffic</legend>
      {mix.streams.length > 1 && <Shares mix={mix} live={live} />}
      <div className="pair">
        <LengthScale label="Prompts" field="promptScale" factor={mix.promptScale} live={live} />
        <LengthScale label="Outputs" field="outputScale" factor={mix.outputScale} live={live} />
      </div>
      <Refusal control="mix" />
    </fieldset>
  )
}

import type { Frame, ScenarioFacts } from '@windtunnel/protocol'
import { count, latency, percent, promise, type Shown, text, threeDigits } from '../../format/quantity.ts'
import { AlertIcon } from '../../shell/icons.tsx'
import { useLive } from '../context.ts'
import { breaches, type PromisedMetric, strictestLimit } from '../objectives.ts'

interface KeyNumber {
  label: string
  shown: Shown
  note: string
  breach?: boolean
}

const latencyNumber = (
  metric: PromisedMetric,
  label: string,
  frame: Frame | undefined,
  scenario: ScenarioFacts | undefined,
): KeyNumber => {
  const shown = latency(frame?.[metric]?.p99)
  const limit = strictestLimit(scenario, metric)
  if (limit === undefined) return { label, shown, note: 'no objective' }
  const broken = breaches(scenario, frame).find((one) => one.metric === metric)
  if (broken !== undefined)
    return {
      label,
      shown,
      note: `${broken.serviceClass === undefined ? '' : `${broken.serviceClass} `}above ${promise(broken.limit)}`,
      breach: true,
    }
  return { label, shown, note: `objective ${promise(limit)}` }
}

/** The pace of tokens under the name that the scenario makes a promise about: ITL, else TPOT. */
const tokenNumber = (frame: Frame | undefined, scenario: ScenarioFacts | undefined): KeyNumber => {
  const promisesTpot = strictestLimit(scenario, 'itl') === undefined && strictestLimit(scenario, 'tpot') !== undefined
  return promisesTpot
    ? latencyNumber('tpot', 'TPOT p99', frame, scenario)
    : latencyNumber('itl', 'ITL p99', frame, scenario)
}

const keyNumbers = (frame: Frame | undefined, scenario: ScenarioFacts | undefined): KeyNumber[] => {
  const met =
    frame !== undefined && frame.requestsPerSecond > 0
      ? Math.min(1, frame.goodput / frame.requestsPerSecond)
      : undefined
  const perAccelerator = frame?.outputTokensPerSecondPerAccelerator
  const price = scenario?.dollarsPerAcceleratorHour
  return [
    latencyNumber('ttft', 'TTFT p99', frame, scenario),
    tokenNumber(frame, scenario),
    {
      label: 'Goodput',
      shown: count(frame?.goodput, 'req/s'),
      note: met === undefined ? 'requests in time' : `${text(percent(met))} of completed`,
    },
    {
      label: 'Output',
      shown: count(frame?.outputTokensPerSecond, 'tok/s'),
      note: perAccelerator === undefined ? 'tokens generated' : `${threeDigits(perAccelerator)} per accelerator`,
    },
    {
      label: 'KV use',
      shown: percent(frame?.kvUse),
      note:
        frame?.prefixHitRate === undefined ? 'no prefix lookups' : `prefix hits ${text(percent(frame.prefixHitRate))}`,
    },
    {
      label: 'Cost',
      shown: {
        digits: frame?.costPerMillionTokens === undefined ? '–' : threeDigits(frame.costPerMillionTokens),
        unit: '$ / M tok',
      },
      note: price === undefined ? 'no price given' : `at $${price.toFixed(2)} a chip-hour`,
    },
  ]
}

/** The six figures that say whether the fleet does what was promised, and at what price. */
export const KeyNumbers = () => {
  const known = useLive((state) => state.hello !== undefined)
  const frame = useLive((state) => state.frame)
  const scenario = useLive((state) => state.hello?.scenario)
  return (
    <dl className="kpis" aria-label="Key numbers">
      {keyNumbers(frame, scenario).map(({ label, shown, note, breach }) => (
        <div key={label} className={breach === true ? 'panel kpi breach' : 'panel kpi'}>
          <dt>{label}</dt>
          <dd>
            <span className="v">
              {shown.digits}
              <small>{shown.unit}</small>
            </span>
            <span className="s">
              {breach === true && <AlertIcon />}
              {known ? note : '\u00a0'}
            </span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

import type { StepOverheads } from '@windtunnel/cost/step/engineOverheads/index'
import type { Tuning } from '../validate/predict/tuning.ts'

/** One figure that a fit to serving runs may move: a time with a meaning. */
export interface Knob {
  name: string
  /** What it stands for. */
  meaning: string
  /** First step of the search and the scale of the figure, in seconds (or as a factor). */
  scale: number
  apply(tuning: Tuning, value: number): void
}

const step = (name: keyof StepOverheads & `${string}Seconds`, meaning: string, scale: number): Knob => ({
  name: `step.${name}`,
  meaning,
  scale,
  apply(tuning, value) {
    tuning.step = { ...tuning.step, [name]: value }
  },
})

/** The few overheads that a handful of runs can tell apart. */
export const knobs: readonly Knob[] = [
  step('perStepSeconds', 'host time of every step', 0.5e-3),
  step('mixedStepSeconds', 'more for a step that computes prompt tokens beside decodes', 2e-3),
  {
    name: 'frontEnd.requestSeconds',
    meaning: 'API server, for each request',
    scale: 3e-3,
    apply(tuning, value) {
      tuning.frontEnd = { ...tuning.frontEnd, requestSeconds: value }
    },
  },
  {
    name: 'frontEnd.secondsPerPromptToken',
    meaning: 'tokenisation, for each prompt token',
    scale: 10e-6,
    apply(tuning, value) {
      tuning.frontEnd = { ...tuning.frontEnd, secondsPerPromptToken: value }
    },
  },
]

/** Tuning with every knob at its value. */
export function tuningAt(values: readonly number[]): Tuning {
  const tuning: Tuning = {}
  knobs.forEach((knob, i) => {
    knob.apply(tuning, values[i]!)
  })
  return tuning
}

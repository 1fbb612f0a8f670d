import { InputError } from '../edge/inputError.ts'
import { bestByDeadline } from './byDeadline.ts'
import { candidateLayouts } from './candidateLayouts.ts'
import { type EvaluatedLayout, evaluateLayout, type RejectedLayout } from './evaluateLayout.ts'
import type { Plan, PlanInput, PlanOption } from './planFields.ts'
import { planQuestion } from './planQuestion.ts'
import { findThresholds } from './thresholds.ts'

/** Decode steps over all sessions that a plan looks at, at most. */
const MOST_STEPS = 2_000_000
/** Up to so many the thresholds are looked for, which plans some two hundred times. */
const MOST_STEPS_FOR_THRESHOLDS = 5_000

/**
 * Which layout to deploy: all layouts, what each needs and takes, what excludes the others, and where the answer flips.
 * Throws InputError, UnknownName or CostInputError for a question that makes no sense.
 */
export function planDeployment(input: PlanInput): Plan {
  const steps = input.sessions * input.output
  if (steps > MOST_STEPS)
    throw InputError.at('sessions', `expected sessions x output to be at most ${MOST_STEPS}; found ${steps}`)
  const evaluated = evaluateAll(input)
  const options = ranked(evaluated, input)
  const looks = input.findThresholds && steps <= MOST_STEPS_FOR_THRESHOLDS
  return {
    best: options[0]?.layout,
    options,
    rejected: evaluated.flatMap((one): RejectedLayout[] => (one.feasible ? [] : [one.rejected])),
    byDeadline: bestByDeadline(evaluated, input),
    thresholds: looks ? findThresholds(input, (changed) => bestLayout(changed)) : [],
    notes: notesOf(input, looks),
  }
}

/** Every layout of the question. */
export function evaluateAll(input: PlanInput): readonly EvaluatedLayout[] {
  const question = planQuestion(input)
  if (question.usableCards === 0)
    throw InputError.at(
      'powerBudget',
      `expected at least one server of ${input.serverPower} W; found ${input.powerBudget} W`,
    )
  return candidateLayouts(question).map((layout) => evaluateLayout(question, layout))
}

/** The best layout alone; undefined where none will do. */
const bestLayout = (input: PlanInput): string | undefined => ranked(evaluateAll(input), input)[0]?.layout

function ranked(evaluated: readonly EvaluatedLayout[], { rankBy }: PlanInput): readonly PlanOption[] {
  const score = (option: PlanOption): number => {
    if (rankBy === 'time') return option.lastDone
    return rankBy === 'perToken' ? option.longestGap : (option.costPerOnTime ?? Number.POSITIVE_INFINITY)
  }
  const feasible = evaluated.flatMap((one) => (one.feasible ? [one.option] : []))
  return feasible.sort((a, b) => score(a) - score(b) || a.lastDone - b.lastDone)
}

function notesOf(input: PlanInput, looked: boolean): string[] {
  const notes = [
    'Peaks of the data sheet; reading and computing of a matmul overlap, communication does not.',
    'Sessions are dealt to instances in turn. All cards are paid for until the last session is done.',
  ]
  if (input.arrivals === 'poisson')
    notes.push('Exponential gaps are sampled evenly, so the same question has one answer.')
  if (input.findThresholds && !looked)
    notes.push(`Thresholds were left out: more than ${MOST_STEPS_FOR_THRESHOLDS} decode steps in all.`)
  return notes
}

import { InputError } from '../edge/inputError.ts'
import type { Plan, PlanInput } from './planFields.ts'
import { planQuestion } from './planQuestion.ts'

interface Knob {
  readonly what: string
  readonly unit: string
  readonly value: number
  /** The question with that value; whole where it must be. */
  readonly set: (value: number) => PlanInput
}

/** What is varied, one at a time. */
function knobsOf(input: PlanInput): readonly Knob[] {
  const { accelerator, capacityBytes, network } = planQuestion(input)
  const knobs: Knob[] = [
    { what: 'near link start-up time', unit: 's', value: input.alpha, set: (alpha) => ({ ...input, alpha }) },
    {
      what: 'near link bandwidth',
      unit: 'B/s',
      value: network.near.bytesPerSecond,
      set: (link) => ({ ...input, link }),
    },
    {
      what: 'memory bandwidth',
      unit: 'B/s',
      value: accelerator.hbmBytesPerSecond,
      set: (bandwidth) => ({ ...input, bandwidth }),
    },
    { what: 'memory of a card', unit: 'B', value: capacityBytes, set: (capacity) => ({ ...input, capacity }) },
    { what: 'deadline', unit: 's', value: input.deadline, set: (deadline) => ({ ...input, deadline }) },
    {
      what: 'context',
      unit: 'token',
      value: input.context,
      set: (context) => ({ ...input, context: Math.round(context) }),
    },
  ]
  return knobs.filter((knob) => knob.value > 0)
}

const FARTHEST = 16
const STEPS_PER_DOUBLING = 2
const HALVINGS = 30

/**
 * For each quantity the nearest value below and above at which another layout becomes best, between a sixteenth and
 * sixteen times its own. A coarse walk finds the range, halving the value: an answer that flips twice within one step of
 * the walk (a factor of 1.4) goes unseen.
 */
export function findThresholds(input: PlanInput, bestOf: (input: PlanInput) => string | undefined): Plan['thresholds'] {
  const asked = bestOf(input)
  const answer = (knob: Knob, factor: number): string | undefined => {
    try {
      return bestOf(knob.set(knob.value * factor))
    } catch (error) {
      if (error instanceof InputError) return undefined
      throw error
    }
  }
  return knobsOf(input).flatMap((knob) =>
    [1 / 2, 2].flatMap((direction) => {
      const found = nearestFlip((factor) => answer(knob, factor), asked, direction ** (1 / STEPS_PER_DOUBLING))
      if (found === undefined) return []
      const { factor, instead } = found
      return [{ what: knob.what, at: knob.value * factor, factor, unit: knob.unit, instead: instead ?? 'none' }]
    }),
  )
}

function nearestFlip(
  answer: (factor: number) => string | undefined,
  asked: string | undefined,
  step: number,
): { factor: number; instead: string | undefined } | undefined {
  let near = 1
  for (let far = step; far <= FARTHEST * 1.0001 && far >= 0.9999 / FARTHEST; far *= step) {
    const other = answer(far)
    if (other === asked) {
      near = far
      continue
    }
    let beyond = far
    let instead = other
    for (let halving = 0; halving < HALVINGS; halving += 1) {
      const middle = (near + beyond) / 2
      const found = answer(middle)
      if (found === asked) near = middle
      else {
        beyond = middle
        instead = found
      }
    }
    return { factor: beyond, instead }
  }
  return undefined
}

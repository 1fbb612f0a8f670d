import { cardMemory, kvWays } from '@windtunnel/cost/deployment/cardMemory'
import { sessionSeconds, tensorParallelStep } from '@windtunnel/cost/deployment/tensorParallelStep'
import { completionSeconds, onTimeCost } from '@windtunnel/cost/deployment/timeline'
import { InputError } from '../edge/inputError.ts'
import { capacity, workspace } from '../fields/card.ts'
import { failure, instanceFailure } from '../fields/failure.ts'
import {
  bytes,
  count,
  degree,
  flag,
  list,
  optional,
  quantity,
  ratio,
  seconds,
  type Values,
  withDefault,
} from '../fields/field.ts'
import { stepFields, tensorParallelInput } from '../fields/stepInput.ts'

/** Each is gone through one by one. */
const MOST = 1_000_000

export const deploymentFields = {
  ...stepFields,
  cards: degree('Cards, all occupied until the last session is done.', { maximum: MOST }),
  sessions: degree('Sessions, all there at time 0.', { maximum: MOST }),
  steps: degree('Decode steps of a session.', { maximum: MOST }),
  workspace,
  capacity,
  deadline: seconds('By when a session must be done.'),
  fraction: withDefault(ratio('Share of the sessions that must be on time.', { minimum: 0, maximum: 1 }), 1),
  failure: optional(failure),
  power: optional(quantity('W', 'Drawn by all cards with their servers.', { minimum: 0 })),
}

export const deploymentResults = {
  instances: count('Instances.'),
  perCardBytes: bytes('Memory of a card with all queued sessions at their last context.', { also: ['per_card'] }),
  fits: flag('Whether that is at most the capacity.'),
  fitsOne: flag('Whether one session would fit.'),
  maxSessions: optional(
    count('Sessions of the last context that an instance could keep; none where they keep nothing.'),
  ),
  firstStepSeconds: seconds('The first step.', { also: ['step_s'] }),
  localSeconds: seconds('Reading in the first step.'),
  commSeconds: seconds('Reductions in the first step.'),
  sessionSeconds: seconds('All steps of one session.'),
  done: list(seconds('A session.'), 'When sessions are done, the earliest first.'),
  doneBySession: list(seconds('A session.'), 'When each session is done, in their own order.'),
  allDoneSeconds: seconds('When the last is done.', { also: ['makespan_s'] }),
  onTime: count('Sessions on time.'),
  onTimeFraction: ratio('Share of the sessions on time.'),
  meets: flag('Whether enough are on time.'),
  feasible: flag('Whether it fits and enough are on time.'),
  cost: quantity('GPU.s', 'Cards times the time of the last session.'),
  costPerOnTime: optional(quantity('GPU.s', 'That for each session on time; none where none is.')),
  energyJoules: optional(quantity('J', 'Power times the time of the last session.')),
  energyPerOnTimeJoules: optional(quantity('J', 'That for each session on time.')),
}

type Deployment = Values<typeof deploymentFields>

/** Memory, times, cost and energy of one deployment. Parallelism chapter, sections 6.7.1 and 6.7.2. */
export function deploymentOutcome(input: Deployment): Values<typeof deploymentResults> {
  const instances = instancesOf(input)
  const memory = memoryOf(input, Math.ceil(input.sessions / instances))
  const one = memoryOf(input, 1)
  const step = tensorParallelInput(input)
  const each = sessionSeconds(step, input.context, input.steps)
  const first = tensorParallelStep(step, input.context)
  const done = completionSeconds({
    instances,
    sessionSeconds: Array.from({ length: input.sessions }, () => each),
    failure: input.failure && instanceFailure(input.failure),
  })
  const cost = onTimeCost(done, { cards: input.cards, deadlineSeconds: input.deadline, fraction: input.fraction })
  const energy = input.power === undefined ? undefined : input.power * cost.makespanSeconds
  return {
    instances,
    perCardBytes: memory.totalBytes,
    fits: memory.fits,
    fitsOne: one.fits,
    maxSessions: memory.maxSessions,
    firstStepSeconds: first.seconds,
    localSeconds: first.localSeconds,
    commSeconds: first.communicationSeconds,
    sessionSeconds: each,
    done: done.toSorted((a, b) => a - b),
    doneBySession: done,
    allDoneSeconds: cost.makespanSeconds,
    onTime: cost.onTime,
    onTimeFraction: cost.onTime / input.sessions,
    meets: cost.meets,
    feasible: cost.meets && memory.fits,
    cost: cost.cardSeconds,
    costPerOnTime: cost.cardSecondsPerOnTime,
    energyJoules: energy,
    energyPerOnTimeJoules: energy === undefined || cost.onTime === 0 ? undefined : energy / cost.onTime,
  }
}

function instancesOf({ cards, tp }: Deployment): number {
  if (cards % tp === 0) return cards / tp
  throw InputError.at('tp', `expected a whole number that divides ${cards} cards; found ${tp}`)
}

function memoryOf(input: Deployment, sessions: number) {
  const { model, tp, kvSplit } = input
  const resident = model.residentBytes ?? model.layers * model.layerBytes + 2 * model.lmHeadBytes
  const copied = input.replicateKvProj ? model.layers * model.kvProjectionBytes : 0
  return cardMemory({
    weightBytes: (resident - copied) / tp + copied / kvWays(tp, model.kvHeads, 'saturate'),
    kvBytesPerSession: (model.kvPerToken * (input.context + input.steps)) / kvWays(tp, model.kvHeads, kvSplit),
    sessions,
    workspaceBytes: input.workspace,
    capacityBytes: input.capacity,
  })
}

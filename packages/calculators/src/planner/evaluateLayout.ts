import { CostInputError } from '@windtunnel/cost/costInputError'
import { onTimeCost } from '@windtunnel/cost/deployment/timeline'
import { acceleratorsOf, type ReplicaLayout, requireLayoutFor } from '@windtunnel/cost/step/layout'
import { instanceFailure } from '../fields/failure.ts'
import { arrivalSeconds } from './arrivals.ts'
import { layoutText } from './candidateLayouts.ts'
import { layoutMemory } from './layoutMemory.ts'
import type { Plan, PlanOption } from './planFields.ts'
import type { PlanQuestion } from './planQuestion.ts'
import { type ServedSession, serveSessions } from './serveSessions.ts'
import { type LayoutSteps, stepsOfLayout } from './stepsOfLayout.ts'

export type RejectedLayout = Plan['rejected'][number]

/** A layout that was looked at: what it does, or what excludes it. */
export type EvaluatedLayout =
  | { readonly feasible: true; readonly option: PlanOption; readonly responses: readonly number[] }
  | {
      readonly feasible: false
      readonly rejected: RejectedLayout
      /** What it would do, where only the objectives exclude it. */
      readonly late: { readonly option: PlanOption; readonly responses: readonly number[] } | undefined
    }

/** Memory, time and cost of one layout, and whether it will do. */
export function evaluateLayout(question: PlanQuestion, layout: ReplicaLayout): EvaluatedLayout {
  const { input, usableCards } = question
  const perInstance = acceleratorsOf(layout)
  const instances = Math.max(1, Math.floor(usableCards / perInstance))
  const place = placeOf(instances, layout)
  const reject = (reason: string, more: Partial<RejectedLayout> = {}): EvaluatedLayout => ({
    feasible: false,
    rejected: { ...place, reason, ...more },
    late: undefined,
  })
  if (perInstance > usableCards) return reject(`needs ${perInstance} cards; the power budget runs ${usableCards}`)
  const cut = cutTrouble(question, layout)
  if (cut !== undefined) return reject(cut)
  const memory = layoutMemory(question, layout, Math.ceil(input.sessions / instances))
  if (!memory.fits) {
    const reason = `needs ${gigabytes(memory.totalBytes)} on a card that has ${gigabytes(question.capacityBytes)}`
    return reject(reason, { memoryPerCard: memory.totalBytes })
  }
  const steps = stepsOfLayout(question, layout)
  const served = serveAll(question, steps, instances)
  const option = { ...place, ...optionOf(question, steps, served, instances), ...memoryFields(memory) }
  const responses = served.map((one) => one.doneAt - one.arrivedAt)
  const reason = missedObjective(question, option)
  if (reason === undefined) return { feasible: true, option, responses }
  const { memoryPerCard, lastDone, onTime } = option
  return {
    feasible: false,
    rejected: { ...place, reason, memoryPerCard, lastDone, onTime },
    late: isTooSlowPerToken(question, option) ? undefined : { option, responses },
  }
}

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(2)} GB`
const milliseconds = (seconds: number): string => `${(seconds * 1e3).toFixed(2)} ms`

const placeOf = (instances: number, layout: ReplicaLayout) => ({
  layout: layoutText(instances, layout),
  dp: instances,
  tp: layout.tp,
  pp: layout.pp,
  ep: layout.ep,
  cp: layout.sp,
  attentionDp: layout.dp,
})

const memoryFields = (memory: { totalBytes: number; weightBytes: number; kvBytes: number }) => ({
  memoryPerCard: memory.totalBytes,
  weightsPerCard: memory.weightBytes,
  kvPerCard: memory.kvBytes,
})

function cutTrouble({ architecture, network }: PlanQuestion, layout: ReplicaLayout): string | undefined {
  try {
    requireLayoutFor(architecture, layout)
  } catch (error) {
    if (error instanceof CostInputError) return `cannot be cut so: ${error.quantity} must be ${error.expected}`
    throw error
  }
  const isTree = network.allReduce === 'tree' && !Number.isInteger(Math.log2(layout.tp))
  return isTree ? 'a tree adds up over powers of two only' : undefined
}

/** Deals the sessions to the instances in turn and serves each instance on its own. In the order of the sessions. */
function serveAll(question: PlanQuestion, steps: LayoutSteps, instances: number): readonly ServedSession[] {
  const { input } = question
  const arrivals = arrivalSeconds(input)
  const all = new Map<number, ServedSession>()
  for (let instance = 0; instance < Math.min(instances, arrivals.length); instance += 1) {
    const mine = arrivals.map((_, session) => session).filter((session) => session % instances === instance)
    const served = serveSessions(
      mine.map((session) => arrivals[session]!),
      {
        concurrency: input.concurrency,
        promptTokens: input.prompt,
        contextTokens: input.context,
        outputTokens: input.output,
        prefillSeconds: () => steps.prefillSeconds(input.prompt, input.context),
        stepSeconds: steps.decodeSeconds,
        failure: failureOf(question, instance),
      },
    )
    served.forEach((one, at) => {
      all.set(mine[at]!, one)
    })
  }
  return arrivals.map((_, session) => all.get(session)!)
}

const failureOf = ({ input }: PlanQuestion, instance: number) =>
  input.failure?.instance === instance ? instanceFailure(input.failure) : undefined

function optionOf(question: PlanQuestion, steps: LayoutSteps, served: readonly ServedSession[], instances: number) {
  const { input, servers } = question
  const responses = served.map((one) => one.doneAt - one.arrivedAt)
  const { onTime } = onTimeCost(responses, {
    cards: input.cards,
    deadlineSeconds: input.deadline,
    fraction: input.fraction,
  })
  const last = served.reduce((latest, one) => (one.doneAt > latest.doneAt ? one : latest))
  const together = Math.min(input.concurrency, Math.ceil(input.sessions / instances))
  const first = together * (input.context + input.prompt)
  const cost = input.cards * last.doneAt
  const path = pathOf(steps, last, together, first)
  return {
    firstStep: steps.decodeSeconds(together, first),
    longestGap: served.reduce((longest, one) => Math.max(longest, one.longestGap), 0),
    lastDone: last.doneAt,
    done: served.map((one) => one.doneAt).sort((a, b) => a - b),
    onTime,
    cost,
    costPerOnTime: onTime === 0 ? undefined : cost / onTime,
    energyJoules: servers * input.serverPower * last.doneAt,
    longest: longestOf(path),
    ...path,
  }
}

/** Where the time of a session went; decode is shared out as in the first step. The parts add up to its response. */
function pathOf(steps: LayoutSteps, last: ServedSession, together: number, context: number) {
  const parts = steps.decodeParts(together, context)
  const whole = Object.values(parts).reduce((sum, part) => sum + part, 0)
  const of = (part: number) => (whole === 0 ? 0 : (part / whole) * last.decodeSeconds)
  const waitingSeconds = last.startedAt - last.arrivedAt
  const lost = last.doneAt - last.startedAt - last.prefillSeconds - last.decodeSeconds
  return {
    waitingSeconds,
    prefillSeconds: last.prefillSeconds,
    weightsSeconds: of(parts.weights),
    kvSeconds: of(parts.kv),
    computeSeconds: of(parts.compute),
    reductionSeconds: of(parts.reductions),
    exchangeSeconds: of(parts.exchanges),
    handOffSeconds: of(parts.handOffs),
    mergeSeconds: of(parts.merges),
    stallSeconds: Math.max(0, lost),
  }
}

function longestOf(path: Readonly<Record<string, number>>): string {
  const [name = ''] = Object.entries(path).reduce((longest, one) => (one[1] > longest[1] ? one : longest))
  return name.replace(/Seconds$/, '').replace('reduction', 'reductions')
}

const isTooSlowPerToken = ({ input }: PlanQuestion, option: { longestGap: number }): boolean =>
  input.perToken !== undefined && option.longestGap > input.perToken

function missedObjective(question: PlanQuestion, option: PlanOption): string | undefined {
  const { input } = question
  if (isTooSlowPerToken(question, option))
    return `${milliseconds(option.longestGap)} between two tokens; at most ${milliseconds(input.perToken ?? 0)} wanted`
  const needed = Math.ceil(input.fraction * input.sessions - 1e-9)
  if (option.onTime >= needed) return undefined
  return `${option.onTime} of ${input.sessions} sessions within ${milliseconds(input.deadline)}; ${needed} wanted`
}

import { calculator } from '../calculator.ts'
import { degree, group, quantity, ratio, seconds } from '../fields/field.ts'
import { deploymentFields, deploymentOutcome, deploymentResults } from './deploymentBench.ts'

const formula =
  'session = sum over steps i of (6-5) at context s + i; sessions dealt in turn to cards / tp instances, one at a time; (6-13) cost = cards x last completion / on time'
const validity =
  'Memory holds all sessions queued at an instance, at their last context. Cards stay occupied until the last session. A failure stalls one instance, whose session starts over (redo) or goes on (pause).'
const example = { tp: 2, cards: 8, sessions: 4, steps: 8, context: 131064, deadline: 0.13, fraction: 0.75 }

export const deploymentPlan = calculator({
  title: 'Sessions on instances with a deadline',
  section: 'Deployment',
  formula,
  validity: `${validity} The scenarios deployment-bench and deployment-bench-failure play the same in the simulator, pause excepted: there a step ends or is lost, and none is held half done.`,
  example,
  input: deploymentFields,
  output: deploymentResults,
  compute: deploymentOutcome,
})

export const deploymentRatio = calculator({
  title: 'Cost of two deployments',
  section: 'Deployment',
  formula: 'cost per on-time session of b over that of a (6-13)',
  validity,
  example: { a: example, b: { ...example, failure: { at: 0.02, stall: 0.04 } } },
  input: { a: group(deploymentFields, 'The first.'), b: group(deploymentFields, 'The second.') },
  output: {
    costRatio: ratio('Cost per on-time session, second over first; 0 where either has none.', { also: ['ratio'] }),
    timeRatio: ratio('Last completion, second over first.'),
    aCost: quantity('GPU.s', 'The first, per on-time session.', { also: ['a_cost_per_on_time'] }),
    bCost: quantity('GPU.s', 'The second, per on-time session.', { also: ['b_cost_per_on_time'] }),
  },
  compute: ({ a, b }) => {
    const first = deploymentOutcome(a)
    const second = deploymentOutcome(b)
    const aCost = first.costPerOnTime ?? 0
    const bCost = second.costPerOnTime ?? 0
    return {
      costRatio: aCost === 0 ? 0 : bCost / aCost,
      timeRatio: second.allDoneSeconds / first.allDoneSeconds,
      aCost,
      bCost,
    }
  },
})

export const serviceRate = calculator({
  title: 'Sessions per second of busy instances',
  section: 'Deployment',
  formula: '(cards / tp) / session',
  validity: 'Always sessions waiting, no failure.',
  example: { cards: 64, plan: example },
  input: { cards: degree('Cards.'), plan: group(deploymentFields, 'How each instance is made.') },
  output: {
    sessionsPerSecond: quantity('1/s', 'Sessions.', { minimum: 0 }),
    instances: degree('Instances.'),
    sessionSeconds: seconds('One session.'),
    tokensPerSecond: quantity('token/s', 'Tokens of all instances.', { minimum: 0 }),
  },
  compute: ({ cards, plan }) => {
    const { sessionSeconds } = deploymentOutcome(plan)
    const instances = Math.floor(cards / plan.tp)
    const sessionsPerSecond = instances / sessionSeconds
    return { sessionsPerSecond, instances, sessionSeconds, tokensPerSecond: sessionsPerSecond * plan.steps }
  },
})

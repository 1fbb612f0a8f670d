import { acceleratorNames } from '@windtunnel/hardware'
import { modelNames } from '@windtunnel/models'
import { failure } from '../fields/failure.ts'
import {
  bandwidth,
  bytes,
  choice,
  count,
  degree,
  flag,
  group,
  list,
  optional,
  quantity,
  ratio,
  seconds,
  text,
  tokens,
  type Values,
  withDefault,
} from '../fields/field.ts'
import { dgxH100, WORKSPACE_BYTES } from '../fields/source.ts'

/** Tokens of all sessions: each is looked at for every layout. */
export const MOST_TOKENS = 1_000_000

/** The question: model, cards and links, load, objectives, budget, and what to search. */
export const planFields = {
  model: withDefault(text(`A registered model, such as ${modelNames.slice(0, 3).join(', ')}.`), 'qwen3-32b'),
  card: withDefault(text(`A registered accelerator, such as ${acceleratorNames.slice(0, 3).join(', ')}.`), 'h100-sxm'),
  cards: withDefault(
    degree('Budget of cards; all are paid for until the last session is done.', { maximum: 65_536 }),
    8,
  ),
  capacity: optional(quantity('B', 'Memory of a card that may be used; all of it where left out.', { above: 0 })),
  bandwidth: optional(bandwidth('Memory bandwidth of a card; its own where left out.')),
  workspace: withDefault(bytes('Activations and workspace set aside on each card.'), WORKSPACE_BYTES),
  weightsDtype: withDefault(choice(['bf16', 'fp8', 'int8', 'int4'], 'Format of the weights.'), 'bf16'),
  kvDtype: withDefault(choice(['bf16', 'fp8', 'int8'], 'Format of the KV cache.'), 'bf16'),
  domain: optional(degree('Cards that reach each other over the near link; those of its server where left out.')),
  alpha: withDefault(seconds('Start-up time of one round over the near link.'), 8.22e-7),
  link: optional(bandwidth('Near link of one card, one direction; its own where left out.')),
  farAlpha: withDefault(seconds('Start-up time of one round between domains.'), 3.76e-6),
  farLink: withDefault(bandwidth('Share of one card in the network between domains, one direction.'), 50e9),
  farAllreduce: optional(seconds('Measured time of one AllReduce across domains, in place of a ring.')),
  algorithm: withDefault(choice(['ring', 'tree'], 'How a domain adds up; a tree takes powers of two.'), 'ring'),
  sessions: withDefault(degree('Sessions of the load.', { maximum: MOST_TOKENS }), 4),
  context: withDefault(tokens('Tokens a session brings in the cache; kept while it waits.'), 0),
  prompt: withDefault(tokens('Tokens to prefill on top of that.'), 0),
  output: withDefault(
    degree('Tokens to generate, 1,000,000 over all sessions at most.', { also: ['steps'], maximum: MOST_TOKENS }),
    8,
  ),
  arrivals: withDefault(
    choice(
      ['together', 'even', 'poisson'],
      'together: all at 0; even: one every 1/rate; poisson: exponential gaps, evenly sampled.',
    ),
    'together',
  ),
  rate: optional(quantity('1/s', 'Sessions that arrive per second; needed unless together.', { above: 0 })),
  concurrency: withDefault(degree('Sessions that an instance serves at once.'), 1),
  deadline: withDefault(seconds('By when a session must be done, from its arrival.'), 0.13),
  fraction: withDefault(ratio('Share of the sessions that must be on time.', { minimum: 0, maximum: 1 }), 0.75),
  perToken: optional(seconds('Longest time between two tokens of a session.')),
  powerBudget: optional(quantity('W', 'Power that all servers may draw.', { above: 0 })),
  serverPower: withDefault(quantity('W', 'One whole server.', { above: 0 }), dgxH100.watts),
  failure: optional(failure),
  search: withDefault(
    list(choice(['tp', 'pp', 'ep', 'cp'], 'A kind of parallelism.'), 'Kinds to try within an instance.', {
      minimumItems: 1,
    }),
    ['tp', 'pp', 'ep', 'cp'],
  ),
  rankBy: withDefault(choice(['cost', 'time', 'perToken'], 'What makes a layout best.'), 'cost'),
  findThresholds: withDefault(flag('Look for the values at which the answer flips.'), true),
}

export type PlanInput = Values<typeof planFields>

const layoutFields = {
  layout: text('The layout in short: instances, then the kinds of parallelism within one.'),
  dp: degree('Instances.'),
  tp: degree('Tensor ranks.'),
  pp: degree('Stages.'),
  ep: degree('Expert ranks, over the tensor and attention ranks.'),
  cp: degree('Context ranks.'),
  attentionDp: degree('Attention ranks that each serve their share of the sessions.'),
}

export const optionFields = {
  ...layoutFields,
  memoryPerCard: bytes('Fullest card at the last context.'),
  weightsPerCard: bytes('Of that, weights.'),
  kvPerCard: bytes('Of that, KV.'),
  firstStep: seconds('A decode step of a full instance at the first context.'),
  longestGap: seconds('Longest time between two tokens of a session.'),
  lastDone: seconds('When the last session is done.'),
  done: list(seconds('A session.'), 'When sessions are done, the earliest first.'),
  onTime: count('Sessions on time.'),
  cost: quantity('GPU.s', 'Cards times the time of the last session.'),
  costPerOnTime: optional(quantity('GPU.s', 'That for each session on time.')),
  energyJoules: quantity('J', 'All servers until the last session.'),
  longest: text('Longest item on the path of the session that ends last.'),
  waitingSeconds: seconds('On that path: waiting for an instance.'),
  prefillSeconds: seconds('Prefill.'),
  weightsSeconds: seconds('Reading weights.'),
  kvSeconds: seconds('Reading KV.'),
  computeSeconds: seconds('Computing beyond what reading hides.'),
  reductionSeconds: seconds('AllReduces over tensor ranks.'),
  exchangeSeconds: seconds('Dispatch to experts and back.'),
  handOffSeconds: seconds('From stage to stage.'),
  mergeSeconds: seconds('Merging attention over context ranks.'),
  stallSeconds: seconds('Lost to the failure, and to other sessions of the instance.'),
}

export type PlanOption = Values<typeof optionFields>

export const planResults = {
  best: optional(text('The layout to choose; none where no layout will do.')),
  options: list(group(optionFields, 'A feasible layout.'), 'Feasible layouts, the best first.'),
  rejected: list(
    group(
      {
        ...layoutFields,
        reason: text('What excluded it.'),
        memoryPerCard: optional(bytes('Fullest card.')),
        lastDone: optional(seconds('When the last session would be done.')),
        onTime: optional(count('Sessions that would be on time.')),
      },
      'A layout.',
    ),
    'Layouts that will not do.',
  ),
  byDeadline: list(
    group(
      {
        from: seconds('From this deadline on.'),
        layout: text('The best layout.'),
        costPerOnTime: quantity('GPU.s', 'Its cost for each session on time.'),
      },
      'A range of deadlines.',
    ),
    'The best layout by deadline, everything else as asked. Below the first no layout will do.',
  ),
  thresholds: list(
    group(
      {
        what: text('What changes.'),
        at: quantity('1', 'The value at which the answer flips.'),
        factor: ratio('That over the value as asked.'),
        unit: text('Unit of the value.'),
        instead: text('The best layout beyond; none where none will do.'),
      },
      'A threshold.',
    ),
    'Values at which another layout becomes best, within a factor of 16.',
  ),
  notes: list(text('A remark.'), 'What was assumed or left out.'),
}

export type Plan = Values<typeof planResults>

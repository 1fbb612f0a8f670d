import type { LengthDistribution } from '../lengths/lengthDistribution.ts'
import { someTokens } from '../lengths/someTokens.ts'
import { count, part, seconds, share, tokens, withDefault } from '../parts/units.ts'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending } from '../requestSource.ts'
import { output, structurePart } from './part.ts'
import { Slots } from './slots.ts'
import type { FollowUps, Structure } from './structure.ts'

interface Habits {
  readonly steps: LengthDistribution
  readonly subSteps: LengthDistribution
  readonly task: LengthDistribution
  readonly toolResult: LengthDistribution
  readonly output: LengthDistribution
  toolSeconds(): number
  /** Whether this step hands out work to sub-agents. */
  fansOut(): boolean
  readonly subAgents: number
}

/** One loop of model calls and tools; sub-agents know the agent that waits for them. */
interface Agent {
  session: number
  stepsLeft: number
  /** Node of all it has read and written; what it reads next is after it. */
  context: number
  /** Tokens it reads before its next call: its task, or results. */
  unread: number
  parent: number | undefined
  /** Sub-agents it waits for. */
  waitingFor: number
}

/** Agents that call the model, wait for tools or for sub-agents, and call it again with what came back. */
class Agents implements Structure {
  private readonly slots = new Slots()
  private readonly agents: Agent[] = []
  private sessions = 0
  private readonly tree: PromptTree
  private readonly habits: Habits
  private readonly mainPrompt: number
  private readonly subPrompt: number

  constructor(tree: PromptTree, habits: Habits, systemTokens: number) {
    this.tree = tree
    this.habits = habits
    this.mainPrompt = systemTokens > 0 ? tree.fresh(0, systemTokens) : 0
    this.subPrompt = systemTokens > 0 ? tree.fresh(0, systemTokens) : 0
  }

  open(draft: RequestDraft): void {
    const slot = this.begin(this.mainPrompt, ++this.sessions, this.habits.steps.next(), undefined)
    this.follow(slot, draft)
  }

  follow(slot: number, draft: RequestDraft): void {
    const agent = this.agents[slot]!
    const { tree } = this
    draft.session = agent.session
    draft.tag = slot
    draft.prompt = tree.fresh(agent.context, Math.max(1, agent.unread))
    draft.inputTokens = tree.depthOf(draft.prompt)
    draft.outputTokens = Math.max(1, this.habits.output.next())
    draft.output = tree.fresh(draft.prompt, draft.outputTokens)
    agent.context = draft.output
    agent.unread = 0
    agent.stepsLeft--
  }

  ended(slot: number, ending: Ending, followUps: FollowUps): boolean {
    const agent = this.agents[slot]!
    if (ending !== 'completed') agent.stepsLeft = 0
    if (agent.stepsLeft <= 0) return this.finish(slot, followUps)
    if (agent.parent === undefined && this.habits.fansOut()) this.fanOut(slot, followUps)
    else {
      agent.unread = this.habits.toolResult.next()
      followUps.after(this.habits.toolSeconds(), slot)
    }
    return false
  }

  private begin(prompt: number, session: number, steps: number, parent: number | undefined): number {
    const slot = this.slots.take()
    const unread = this.habits.task.next()
    this.agents[slot] = { session, stepsLeft: Math.max(1, steps), context: prompt, unread, parent, waitingFor: 0 }
    return slot
  }

  private fanOut(slot: number, followUps: FollowUps): void {
    const agent = this.agents[slot]!
    agent.waitingFor = this.habits.subAgents
    for (let i = 0; i < this.habits.subAgents; i++) {
      followUps.after(0, this.begin(this.subPrompt, agent.session, this.habits.subSteps.next(), slot))
    }
  }

  /** True when the whole task is over; the last sub-agent wakes the agent that waits. */
  private finish(slot: number, followUps: FollowUps): boolean {
    const { parent, context } = this.agents[slot]!
    followUps.release(context, parent === undefined ? this.mainPrompt : this.subPrompt)
    this.slots.give(slot)
    if (parent === undefined) return true
    const waiting = this.agents[parent]!
    waiting.unread += this.habits.toolResult.next()
    if (--waiting.waitingFor === 0) followUps.after(0, parent)
    return false
  }
}

export const agents = structurePart({
  name: 'agents',
  sentence:
    'Agents: model calls with growing context, a wait for tools between them, and now and then sub-agents in parallel that are joined.',
  options: {
    systemTokens: withDefault(
      tokens('Tokens of the system prompt and the tools, shared by all agents (sub-agents have their own).', {
        minimum: 0,
      }),
      2000,
    ),
    steps: part('lengths', 'Model calls of an agent (a number of requests).'),
    task: part('lengths', 'Tokens of the task.'),
    toolResult: part('lengths', 'Tokens that a tool, or a sub-agent, gives back.'),
    output,
    toolSeconds: withDefault(seconds('Mean time of a tool (exponential).'), 2),
    fanOutShare: withDefault(share('Share of the steps after which sub-agents run instead of a tool.'), 0),
    subAgents: withDefault(count('agents', 'Sub-agents at a fan-out.'), 3),
    subSteps: withDefault(part('lengths', 'Model calls of a sub-agent.'), { name: 'fixed', tokens: 2 }),
  },
  create: (values, context) => {
    const tools = context.stream('tools')
    const fan = context.stream('fan')
    const steps = (name: 'steps' | 'subSteps') =>
      someTokens(`agents.${name}`, context.length(`agents.${name}`, values[name], name), 'calls')
    const text = (name: 'task' | 'toolResult') =>
      someTokens(`agents.${name}`, context.promptLength(`agents.${name}`, values[name], name))
    const habits: Habits = {
      steps: steps('steps'),
      subSteps: steps('subSteps'),
      task: text('task'),
      toolResult: text('toolResult'),
      output: someTokens('agents.output', context.outputLength('agents.output', values.output, 'output')),
      toolSeconds: () => tools.exponential(values.toolSeconds),
      fansOut: () => values.fanOutShare > 0 && fan.uniform() < values.fanOutShare,
      subAgents: values.subAgents,
    }
    return new Agents(context.tree, habits, values.systemTokens)
  },
})

import type { TrafficContext } from '../context.ts'
import type { LengthDistribution } from '../lengths/lengthDistribution.ts'
import { someTokens } from '../lengths/someTokens.ts'
import { optional, part, seconds, tokens, withDefault } from '../parts/units.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending } from '../requestSource.ts'
import { output, structurePart } from './part.ts'
import { Slots } from './slots.ts'
import type { FollowUps, Structure } from './structure.ts'

interface Lengths {
  readonly turns: LengthDistribution
  readonly first: LengthDistribution
  readonly input: LengthDistribution
  readonly output: LengthDistribution
}

/** Conversations: every prompt is all that was said before, and something new. */
class Sessions implements Structure {
  private readonly slots = new Slots()
  private opened = 0
  /** By slot: turns still to come after the present one, the session's number, and the node of its last answer. */
  private readonly turnsLeft: number[] = []
  private readonly numbers: number[] = []
  private readonly answers: number[] = []
  private readonly context: TrafficContext
  private readonly system: number
  private readonly lengths: Lengths
  private readonly pause: () => number
  private readonly maximum: number

  constructor(context: TrafficContext, systemTokens: number, lengths: Lengths, pause: () => number, maximum: number) {
    this.context = context
    this.system = systemTokens > 0 ? context.tree.fresh(0, systemTokens) : 0
    this.lengths = lengths
    this.pause = pause
    this.maximum = maximum
  }

  open(draft: RequestDraft): void {
    const slot = this.slots.take()
    this.numbers[slot] = ++this.opened
    this.answers[slot] = this.system
    this.turnsLeft[slot] = Math.max(1, this.lengths.turns.next())
    this.turn(slot, this.lengths.first.next(), draft)
  }

  follow(slot: number, draft: RequestDraft): void {
    this.turn(slot, this.lengths.input.next(), draft)
  }

  ended(slot: number, ending: Ending, followUps: FollowUps): boolean {
    if (ending === 'completed' && this.turnsLeft[slot]! > 0) {
      followUps.after(this.pause(), slot)
      return false
    }
    followUps.release(this.answers[slot]!, this.system)
    this.slots.give(slot)
    return true
  }

  private turn(slot: number, newTokens: number, draft: RequestDraft): void {
    const { tree } = this.context
    const before = this.answers[slot]!
    const outputTokens = Math.max(1, this.lengths.output.next())
    const words = Math.max(1, newTokens)
    draft.session = this.numbers[slot]!
    draft.tag = slot
    draft.inputTokens = tree.depthOf(before) + words
    draft.outputTokens = outputTokens
    this.turnsLeft[slot]! -= 1
    if (draft.inputTokens + outputTokens >= this.maximum) this.turnsLeft[slot] = 0
    if (this.turnsLeft[slot] === 0) {
      draft.prompt = before
      return
    }
    draft.prompt = tree.fresh(before, words)
    draft.output = tree.fresh(draft.prompt, outputTokens)
    this.answers[slot] = draft.output
  }
}

export const sessions = structurePart({
  name: 'sessions',
  sentence: 'Conversations of several turns: each prompt is the whole talk so far and new words, sent after a pause.',
  options: {
    turns: part('lengths', 'Turns of a conversation (a number of requests).'),
    systemTokens: withDefault(tokens('Tokens of a system prompt that all conversations share.', { minimum: 0 }), 0),
    firstInput: optional(part('lengths', 'New tokens of the first turn; without it as in the others.')),
    input: part('lengths', 'New tokens of a turn.'),
    output,
    thinkSeconds: withDefault(seconds('Mean pause between an answer and the next turn.'), 10),
    think: withDefault(
      { kind: 'choice', names: ['exponential', 'fixed'], sentence: 'Whether pauses vary or are all alike.' } as const,
      'exponential',
    ),
    maximumContextTokens: optional(tokens('A conversation ends with the turn that reaches this length.')),
  },
  create: (values, context) => {
    const random = context.stream('think')
    const { thinkSeconds, think } = values
    const lengths = {
      turns: someTokens('sessions.turns', context.length('sessions.turns', values.turns, 'turns'), 'turns'),
      first: someTokens(
        'sessions.firstInput',
        context.promptLength('sessions.firstInput', values.firstInput ?? values.input, 'firstInput'),
      ),
      input: someTokens('sessions.input', context.promptLength('sessions.input', values.input, 'input')),
      output: someTokens('sessions.output', context.outputLength('sessions.output', values.output, 'output')),
    }
    const pause = think === 'fixed' ? () => thinkSeconds : () => random.exponential(thinkSeconds)
    return new Sessions(
      context,
      values.systemTokens,
      lengths,
      pause,
      values.maximumContextTokens ?? Number.POSITIVE_INFINITY,
    )
  },
})

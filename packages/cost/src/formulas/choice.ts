import { requireChoice } from '../costInputError.ts'
import { text, type Variable } from './formula.ts'

/** A variable that takes one of a few words; `read` checks the word. */
export interface ChoiceOf<Choice extends string> {
  readonly variable: Variable<'text'>
  /** @throws CostInputError for another word; the message lists the choices. */
  read(word: string): Choice
}

/** A choice among words, with the one it takes when none is given. */
export const choice = <const Choice extends string>(
  name: string,
  meaning: string,
  choices: readonly Choice[],
  standard: NoInfer<Choice>,
): ChoiceOf<Choice> => ({
  variable: text(choices.join(' | '), meaning, standard),
  read: (word) => requireChoice('formula', name, choices, word),
})

/** A yes or no. */
export const yesOrNo = (name: string, meaning: string, standard: 'yes' | 'no') => {
  const { variable, read } = choice(name, meaning, ['yes', 'no'], standard)
  return { variable, read: (word: string): boolean => read(word) === 'yes' }
}

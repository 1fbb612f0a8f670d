import { type EngineName, engineBindings } from '../engines/index.ts'
import { variant, withDefault } from './options.ts'

type Options = { readonly [Name in EngineName]: (typeof engineBindings)[Name]['option'] }

const options = Object.fromEntries(
  Object.entries(engineBindings).map(([name, binding]) => [name, binding.option]),
) as Options

/** The batching loop of a replica with its memory rules. */
export const engine = withDefault(
  variant('name', options, { sentence: 'The batching loop of a replica, with its memory rules.' }),
  { name: 'vllm' },
)

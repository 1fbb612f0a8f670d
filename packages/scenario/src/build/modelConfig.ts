import type { Architecture } from '@windtunnel/models'
import { BuildError } from './buildError.ts'

/** A model from the text of its Hugging Face config.json. Throws an error that names the field it does not know. */
export function architectureFromConfigText(_text: string, source: string): Architecture {
  throw new BuildError('model', `${source}: this version reads no config.json`)
}

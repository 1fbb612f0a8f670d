import type { Architecture } from '@windtunnel/models'
import { readConfig } from '@windtunnel/models/huggingface/readConfig'
import { BuildError } from './buildError.ts'

/** A model from a file, and what the file left open. */
export interface ModelReading {
  readonly architecture: Architecture
  readonly warnings: readonly string[]
}

/**
 * A model from the text of its Hugging Face config.json. Throws an error that names the field it does not know, and a
 * BuildError for text that is not JSON.
 */
export function readModelConfig(text: string, source: string): ModelReading {
  const { architecture, notUnderstood, defaulted } = readConfig(parsed(text, source))
  const warnings = [
    ...(notUnderstood.length === 0 ? [] : [`${source}: not understood, and left aside: ${notUnderstood.join(', ')}`]),
    ...(defaulted.length === 0
      ? []
      : [`${source}: absent, and taken as the family's code does: ${defaulted.join(', ')}`]),
  ]
  return { architecture, warnings }
}

function parsed(text: string, source: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new BuildError('model', `${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
}

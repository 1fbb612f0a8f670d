import { existsSync } from 'node:fs'
import { type Architecture, model } from '@windtunnel/models'
import { readTextFile } from './textFile.ts'

/** A model of the registry by name, or one read from a Hugging Face config.json. Throws errors written for the user. */
export async function findModel(name: string): Promise<Architecture> {
  if (!name.endsWith('.json') && !existsSync(name)) return model(name)
  const { architectureFromConfigText } = await import('@windtunnel/scenario/build/modelConfig')
  return architectureFromConfigText(await readTextFile(name), name)
}

import { existsSync } from 'node:fs'
import { type Architecture, model } from '@windtunnel/models'
import { note } from '../output/print.ts'
import { readTextFile } from './textFile.ts'

/** A model of the registry by name, or one read from a Hugging Face config.json. Throws errors written for the user. */
export async function findModel(name: string): Promise<Architecture> {
  if (!name.endsWith('.json') && !existsSync(name)) return model(name)
  const { readModelConfig } = await import('@windtunnel/scenario/build/modelConfig')
  const { architecture, warnings } = readModelConfig(await readTextFile(name), name)
  for (const warning of warnings) note(`warning: ${warning}`)
  return architecture
}

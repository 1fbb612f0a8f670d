import type { Frame } from '@windtunnel/protocol'
import type { RunRecipe } from './recipe.ts'
import { runInWorker } from './runInWorker.ts'

/** A run of which fewer frames are known than this went by too fast for its charts to say much. */
export const fewFrames = 60
const manyFrames = 240

/**
 * The frames of a run that is over, evenly over its time: computed again from its recipe, in a worker. Undefined where the
 * recipe does not lead to the same facts, or cannot be run here (a trace that this page does not have).
 */
export const seriesOf = async (
  { scenario, log }: RunRecipe,
  factsHash: string,
  signal: AbortSignal,
): Promise<Frame[] | undefined> => {
  try {
    const wish = { scenario, log: JSON.stringify(log), frames: manyFrames }
    const { summary, frames } = await runInWorker(wish, signal)
    return summary.factsHash === factsHash && frames.length > 0 ? frames : undefined
  } catch {
    return undefined
  }
}

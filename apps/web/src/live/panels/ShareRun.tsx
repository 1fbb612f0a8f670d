import { recipeAddress, traceIn } from '../../engine/recipe.ts'
import { CopyLink } from '../../shell/CopyLink.tsx'
import { useSession } from '../context.ts'

/** A link to the run so far: with its commands, and with its facts hash once it has ended. */
export const ShareRun = () => {
  const session = useSession()
  const make = async () => {
    const recipe = await session.recipe()
    const trace = await traceIn(recipe.scenario)
    if (trace !== undefined)
      throw new Error(`This run replays the trace ${trace}, which a link cannot hold. Share the file and the scenario.`)
    return recipeAddress(recipe, session.state.ended?.summary.factsHash)
  }
  return <CopyLink label="Copy a link to this run" make={make} />
}

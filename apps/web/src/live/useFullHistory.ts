import { useEffect } from 'react'
import { fewFrames, seriesOf } from '../engine/series.ts'
import { useLive, useSession } from './context.ts'

/** Once a run is over that went by in a moment, computes the frames that were never shown, so that its charts tell. */
export const useFullHistory = (): void => {
  const session = useSession()
  const ended = useLive((state) => state.ended)
  useEffect(() => {
    if (ended === undefined || session.history.length >= fewFrames) return
    const controller = new AbortController()
    const fill = async () => {
      const recipe = await session.recipe().catch(() => undefined)
      if (recipe === undefined || controller.signal.aborted) return
      const frames = await seriesOf(recipe, ended.summary.factsHash, controller.signal)
      if (frames !== undefined && session.state.ended === ended) session.showHistory([...frames, ended.frame])
    }
    void fill()
    return () => controller.abort()
  }, [session, ended])
}

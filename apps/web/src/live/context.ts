import { createContext, useContext, useRef, useSyncExternalStore } from 'react'
import type { LiveSession, LiveState } from './session.ts'

export const SessionContext = createContext<LiveSession | undefined>(undefined)

export const useSession = (): LiveSession => {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('no live session around this component: wrap it in SessionContext')
  return session
}

/** A part of the live state; the component renders again only when that part changes. */
export const useLive = <Part>(select: (state: LiveState) => Part): Part => {
  const session = useSession()
  return useSyncExternalStore(session.subscribe, () => select(session.state))
}

/**
 * The same for a part that is dear to show: while the run plays it is looked at only so often, for as many milliseconds as
 * `pause` says of the state; every other change shows at once.
 */
export const useLiveCalmly = <Part>(select: (state: LiveState) => Part, pause: (state: LiveState) => number): Part => {
  const session = useSession()
  const held = useRef<{ session: LiveSession; hello: unknown; at: number; part: Part } | undefined>(undefined)
  const read = (): Part => {
    const { state } = session
    const now = performance.now()
    const last = held.current
    const playing = state.frame?.state === 'running' && state.connection === 'live'
    if (last?.session === session && last.hello === state.hello && playing && now - last.at < pause(state))
      return last.part
    held.current = { session, hello: state.hello, at: now, part: select(state) }
    return held.current.part
  }
  return useSyncExternalStore(session.subscribe, read)
}

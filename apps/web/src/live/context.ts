import { createContext, useContext, useSyncExternalStore } from 'react'
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

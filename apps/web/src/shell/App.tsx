import { useEffect, useState } from 'react'
import { SessionContext } from '../live/context.ts'
import { LiveView } from '../live/LiveView.tsx'
import { RunClock, Transport } from '../live/panels/Transport.tsx'
import { ServerSource, streamAddress } from '../live/serverSource.ts'
import { LiveSession } from '../live/session.ts'
import { useShortcuts } from '../live/shortcuts.ts'
import { Header } from './Header.tsx'
import { useRoute } from './route.ts'
import { chooseTheme, currentTheme } from './theme.ts'

const views = [{ view: 'live', title: 'Live' }]

export const App = ({ first }: { first: LiveSession }) => {
  const route = useRoute()
  const [session] = useState(first)
  useEffect(() => {
    session.open()
    return () => session.close()
  }, [session])
  useShortcuts({ t: () => chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark') })
  return (
    <SessionContext value={session}>
      <Header views={views} current={route.view}>
        <RunClock />
        <Transport />
      </Header>
      <LiveView />
    </SessionContext>
  )
}

export const serverSession = (): LiveSession => new LiveSession(new ServerSource(streamAddress(location)))

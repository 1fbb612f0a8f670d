import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/page.css'
import { LiveSession } from './live/session.ts'
import { App, serverSession } from './shell/App.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no element #root to draw into')

const firstSession = async (): Promise<LiveSession> => {
  if (import.meta.env.DEV && location.search.includes('invented')) {
    const { InventedSource } = await import('./dev/inventedSource.ts')
    return new LiveSession(new InventedSource())
  }
  return serverSession()
}

if (import.meta.env.DEV && location.search.includes('invented'))
  void firstSession().then((first) => createRoot(root).render(<App first={first} />))
else createRoot(root).render(<App first={serverSession()} />)

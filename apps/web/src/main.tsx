import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/page.css'
import { App } from './shell/App.tsx'

const element = document.getElementById('root')
if (element === null) throw new Error('the page has no element #root to draw into')
const root = createRoot(element)

const invented = import.meta.env.DEV && location.search.includes('invented')
if (invented)
  void import('./dev/inventedSession.ts').then(({ inventedSession }) => root.render(<App first={inventedSession()} />))
else root.render(<App />)

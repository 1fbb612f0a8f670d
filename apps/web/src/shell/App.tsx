import { lazy, Suspense } from 'react'
import { SessionContext } from '../live/context.ts'
import { LiveView } from '../live/LiveView.tsx'
import { RunClock, Transport } from '../live/panels/Transport.tsx'
import type { LiveSession } from '../live/session.ts'
import { useShortcuts } from '../live/shortcuts.ts'
import { Guard } from './Guard.tsx'
import { Header } from './Header.tsx'
import { useRoute } from './route.ts'
import { useLiveSession } from './sessions.ts'
import { chooseTheme, currentTheme } from './theme.ts'

const ExploreView = lazy(() => import('../explore/ExploreView.tsx').then((module) => ({ default: module.ExploreView })))

const ScenarioView = lazy(() =>
  import('../scenario/ScenarioView.tsx').then((module) => ({ default: module.ScenarioView })),
)
const CompareView = lazy(() => import('../compare/CompareView.tsx').then((module) => ({ default: module.CompareView })))
const TracesView = lazy(() => import('../traces/TracesView.tsx').then((module) => ({ default: module.TracesView })))
const CalculatorsView = lazy(() =>
  import('../calculators/CalculatorsView.tsx').then((module) => ({ default: module.CalculatorsView })),
)
const RunsView = lazy(() => import('../runs/RunsView.tsx').then((module) => ({ default: module.RunsView })))

const views = [
  { view: 'live', title: 'Live' },
  { view: 'scenario', title: 'Scenario' },
  { view: 'compare', title: 'Compare' },
  { view: 'explore', title: 'Explore' },
  { view: 'calculators', title: 'Calculators' },
  { view: 'traces', title: 'Traces' },
  { view: 'runs', title: 'Runs' },
]

const Loading = () => (
  <main id="view">
    <p className="empty" role="status">
      Loading this view.
    </p>
  </main>
)

const View = ({ name }: { name: string }) => {
  if (name === 'explore') return <ExploreView />
  if (name === 'runs') return <RunsView />
  if (name === 'calculators') return <CalculatorsView />
  if (name === 'traces') return <TracesView />
  if (name === 'compare') return <CompareView />
  if (name === 'scenario') return <ScenarioView />
  if (name === 'live') return <LiveView />
  return (
    <main className="page" id="view">
      <h1 className="unseen">No such view</h1>
      <p className="refusal" role="alert">
        There is no view “{name}”: choose one above.
      </p>
    </main>
  )
}

export const App = ({ first }: { first?: LiveSession | undefined }) => {
  const route = useRoute()
  const { session, address } = useLiveSession(route, first)
  useShortcuts({ t: () => chooseTheme(currentTheme() === 'dark' ? 'light' : 'dark') })
  return (
    <SessionContext value={session}>
      <Header views={views} current={route.view} live={address}>
        {route.view === 'live' && (
          <>
            <RunClock />
            <Transport />
          </>
        )}
      </Header>
      <Guard view={`${route.view}?${route.parameters}`}>
        <Suspense fallback={<Loading />}>
          <View name={route.view} />
        </Suspense>
      </Guard>
    </SessionContext>
  )
}

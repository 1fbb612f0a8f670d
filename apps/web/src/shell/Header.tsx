import type { ReactNode } from 'react'
import { MoonIcon, SunIcon } from './icons.tsx'
import { addressOf } from './route.ts'
import { chooseTheme, useTheme } from './theme.ts'

export interface ViewLink {
  view: string
  title: string
}

export const Header = ({
  views,
  current,
  children,
}: {
  views: readonly ViewLink[]
  current: string
  children?: ReactNode
}) => {
  const theme = useTheme()
  return (
    <header>
      <a className="brand" href={addressOf('live')} aria-label="Windtunnel, live view">
        wind<i>tunnel</i>
      </a>
      <nav aria-label="Views">
        {views.map(({ view, title }) => (
          <a key={view} href={addressOf(view)} aria-current={view === current ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      <div className="spacer" />
      {children}
      <button
        type="button"
        className="plain theme"
        onClick={() => chooseTheme(theme === 'dark' ? 'light' : 'dark')}
        aria-label={theme === 'dark' ? 'Use the light theme' : 'Use the dark theme'}
        title="Light or dark (T)"
      >
        {theme === 'dark' ? <SunIcon /> : <MoonIcon />}
      </button>
    </header>
  )
}

import { type ReactNode, useEffect, useRef } from 'react'
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
  live,
  children,
}: {
  views: readonly ViewLink[]
  current: string
  /** Address of the live view as it was left: the run that plays there goes on. */
  live: string
  children?: ReactNode
}) => {
  const theme = useTheme()
  const nav = useRef<HTMLElement>(null)
  // On a narrow page the views do not all fit: the one that is shown must.
  useEffect(() => {
    const link = nav.current?.querySelector(`[data-view="${current}"]`)
    const show = () => link?.scrollIntoView({ block: 'nearest', inline: 'center' })
    show()
    addEventListener('resize', show)
    return () => removeEventListener('resize', show)
  }, [current])
  return (
    <header>
      <a className="brand" href={live} aria-label="Windtunnel, live view">
        wind<i>tunnel</i>
      </a>
      <nav aria-label="Views" ref={nav}>
        {views.map(({ view, title }) => (
          <a
            key={view}
            data-view={view}
            href={view === 'live' ? live : addressOf(view)}
            aria-current={view === current ? 'page' : undefined}
          >
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

import { useSyncExternalStore } from 'react'

export interface Route {
  view: string
  parameters: URLSearchParams
}

let cachedHash: string | undefined
let cachedRoute: Route = { view: 'live', parameters: new URLSearchParams() }

/** The view and its parameters live in the fragment (`#/explore?model=...`), so that the page works from any static host. */
export const currentRoute = (): Route => {
  if (location.hash === cachedHash) return cachedRoute
  cachedHash = location.hash
  const [path = '', query = ''] = location.hash.replace(/^#\/?/, '').split('?', 2)
  cachedRoute = { view: path === '' ? 'live' : path, parameters: new URLSearchParams(query) }
  return cachedRoute
}

export const addressOf = (view: string, parameters?: URLSearchParams | Record<string, string>): string => {
  const query = new URLSearchParams(parameters).toString()
  return `#/${view}${query === '' ? '' : `?${query}`}`
}

/** Replaces the parameters of the view without a new history entry. */
export const rememberInAddress = (view: string, parameters: URLSearchParams | Record<string, string>): void => {
  history.replaceState(undefined, '', addressOf(view, parameters))
  dispatchEvent(new HashChangeEvent('hashchange'))
}

const subscribe = (listener: () => void): (() => void) => {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

export const useRoute = (): Route => useSyncExternalStore(subscribe, currentRoute)

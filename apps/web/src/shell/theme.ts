import { useSyncExternalStore } from 'react'

export type Theme = 'light' | 'dark'

const storageKey = 'windtunnel.theme'
const prefersDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

const announce = (): void => {
  for (const listener of listeners) listener()
}
prefersDark.addEventListener('change', announce)

/** The theme in force: the chosen one, else the system's. */
export const currentTheme = (): Theme => {
  const chosen = document.documentElement.dataset['theme']
  return chosen === 'light' || chosen === 'dark' ? chosen : prefersDark.matches ? 'dark' : 'light'
}

/** Chooses a theme and remembers it in this browser. */
export const chooseTheme = (theme: Theme): void => {
  document.documentElement.dataset['theme'] = theme
  try {
    localStorage.setItem(storageKey, theme)
  } catch {
    // Storage may be forbidden; the choice then lasts as long as the page.
  }
  announce()
}

export const onThemeChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useTheme = (): Theme => useSyncExternalStore(onThemeChange, currentTheme)

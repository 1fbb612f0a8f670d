const storageKey = 'windtunnel.scenario'

/** The scenario that was last edited in this browser. */
export const savedDraft = (): string | undefined => {
  try {
    const text = localStorage.getItem(storageKey)
    return text === null || text.trim() === '' ? undefined : text
  } catch {
    return undefined
  }
}

export const saveDraft = (text: string): void => {
  try {
    localStorage.setItem(storageKey, text)
  } catch {
    // Storage may be full or forbidden; the text stays in the page.
  }
}

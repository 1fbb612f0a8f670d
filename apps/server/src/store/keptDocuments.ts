import type { StoredRun } from './runStore.ts'

/** Everything but the series and the incidents, put together from the JSON texts in the store. */
export const keptDocument = (stored: StoredRun): string => `{${fieldsOf(stored)}}`

/** Everything that is kept of a run. */
export const keptExport = (stored: StoredRun, events: readonly string[], frames: readonly string[]): string =>
  `{${fieldsOf(stored)},"events":[${events.join(',')}],"frames":[${frames.join(',')}]}`

function fieldsOf({ scenarioDocument, log, summary, folder: _, ...kept }: StoredRun): string {
  return `"kept":${JSON.stringify(kept)},"scenario":${scenarioDocument},"log":${log},"summary":${summary ?? 'null'}`
}

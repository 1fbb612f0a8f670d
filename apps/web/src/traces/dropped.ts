/** A trace to play as live traffic. */
export interface DroppedTrace {
  file: File
  /** Its mean rate, where its rows have times. */
  requestsPerSecond: number | undefined
  /** Whether its rows are in the order of their times. */
  inOrder: boolean
}

let dropped: DroppedTrace | undefined

/** Keeps the dropped trace while the page lives: an address cannot hold it. */
export const keepDropped = (trace: DroppedTrace): void => {
  dropped = trace
}

/** The trace of that name, if it is the one that was dropped last. */
export const droppedTrace = (name: string): DroppedTrace | undefined =>
  dropped?.file.name === name ? dropped : undefined

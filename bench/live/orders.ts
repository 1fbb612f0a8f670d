/** What the server under load is told to do. */
export interface ServerOrders {
  readonly runs: number
  /** Virtual seconds per wall second. */
  readonly speed: number
  /** Virtual seconds after which each run ends. */
  readonly durationSeconds: number
}

/** What it reports every second. */
export interface ServerReport {
  readonly port: number
  readonly residentBytes: number
  readonly heapBytes: number
  /** Of the whole process, threads of runs included. */
  readonly cpuSeconds: number
  /** Virtual time of each run. */
  readonly times: readonly number[]
}

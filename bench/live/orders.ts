import type { Speed } from '@windtunnel/protocol'

/** What the server under load is told to do. */
export interface ServerOrders {
  readonly runs: number
  /** Virtual seconds per wall second. */
  readonly speed: Speed
  /** Virtual seconds after which each run ends. */
  readonly durationSeconds: number
}

/** What it reports every second. */
export interface ServerReport {
  readonly port: number
  readonly residentBytes: number
  /** Of the server's own thread. */
  readonly heapBytes: number
  readonly bufferBytes: number
  /** Of the whole process, threads of runs included. */
  readonly cpuSeconds: number
  /** Virtual time of each run. */
  readonly times: readonly number[]
  /** Processor time of each run's thread. */
  readonly runCpuSeconds: readonly number[]
  /** Virtual time of each run, and the processor time that simulating it took, both at one moment of the run. */
  readonly work: readonly { readonly simulatedSeconds: number; readonly simulatorSeconds: number }[]
}

/** What a result file says about the run beyond its figures. */
export interface ResultLabels {
  readonly model: string
  /** When the run is said to have started, ISO 8601 with a zone; the simulation itself knows no date. */
  readonly startedAt: string
  /** Seconds since 1970 of the same instant. */
  readonly startedAtSeconds: number
  /** Mean arrivals a second; undefined where the traffic has no rate. */
  readonly requestsPerSecond: number | undefined
  /** Requests a second within their objectives; absent where there are none. */
  readonly goodput?: number
  /** Most requests in flight that the client allows; undefined for no limit. */
  readonly maxConcurrency?: number
}

export const milliseconds = (seconds: number): number => seconds * 1000

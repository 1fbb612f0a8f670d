import type { RequestTimeline } from './requestTimeline.ts'

/** Told of what the ledger put together. Extend `SilentReader` and override what you need. */
export interface LedgerReader {
  /** First scheduled: `queueSeconds` after its arrival. */
  admitted(time: number, queueSeconds: number, serviceClass: number): void
  /** The first token: `ttftSeconds` after the arrival. */
  firstToken(time: number, ttftSeconds: number, inputTokens: number, serviceClass: number): void
  /** The one ending. `timeline` is reused: read it, do not keep it. */
  ended(timeline: RequestTimeline): void
}

export class SilentReader implements LedgerReader {
  admitted(_time: number, _queueSeconds: number, _serviceClass: number): void {}
  firstToken(_time: number, _ttftSeconds: number, _inputTokens: number, _serviceClass: number): void {}
  ended(_timeline: RequestTimeline): void {}
}

/** Several readers as one: they are told in their order. */
class EachReader implements LedgerReader {
  private readonly readers: readonly LedgerReader[]

  constructor(readers: readonly LedgerReader[]) {
    this.readers = readers
  }

  admitted(time: number, queueSeconds: number, serviceClass: number): void {
    for (const reader of this.readers) reader.admitted(time, queueSeconds, serviceClass)
  }

  firstToken(time: number, ttftSeconds: number, inputTokens: number, serviceClass: number): void {
    for (const reader of this.readers) reader.firstToken(time, ttftSeconds, inputTokens, serviceClass)
  }

  ended(timeline: RequestTimeline): void {
    for (const reader of this.readers) reader.ended(timeline)
  }
}

/** One that speaks for all; a single one for itself, so that a call of it can be inlined. */
export const oneReader = (readers: readonly LedgerReader[]): LedgerReader =>
  readers.length === 1 ? readers[0]! : new EachReader(readers)

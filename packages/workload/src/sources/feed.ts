import type { TraceReader } from '../traces/reader.ts'
import type { TraceSource } from './trace.ts'

/**
 * Moves rows from a reader to a source until the source has enough (`enough`), or the reader needs more text first
 * (`text`: push some or end it, and call again). Closes the source when the trace is over. The rows of one line go
 * together.
 */
export function feed(source: TraceSource, reader: TraceReader): 'enough' | 'text' {
  while (source.needsRows()) {
    const row = reader.next()
    if (row !== undefined) source.offer(row)
    else if (reader.isEnded) source.close()
    else return 'text'
  }
  return 'enough'
}

/** A place in a trace that is not as its format says. */
export class TraceError extends Error {
  readonly _tag = 'TraceError'
  /** `any` where it is not the format's matter. */
  readonly format: string
  /** From 1; 0 for the file as a whole. */
  readonly line: number
  /** Character of the line, from 1; 0 when the line as a whole is meant. */
  readonly column: number
  readonly field: string | undefined
  readonly expected: string
  readonly found: string

  constructor(
    format: string,
    place: { line: number; column?: number; field?: string },
    expected: string,
    found: string,
  ) {
    const column = place.column ?? 0
    const where = [
      place.line > 0 ? `line ${place.line}` : 'the file',
      ...(column > 0 ? [`column ${column}`] : []),
      ...(place.field === undefined ? [] : [`field ${place.field}`]),
    ].join(', ')
    super(`${format === 'any' ? 'trace' : `${format} trace`}, ${where}: expected ${expected}, found ${found}.`)
    this.name = 'TraceError'
    this.format = format
    this.line = place.line
    this.column = column
    this.field = place.field
    this.expected = expected
    this.found = found
  }
}

/** A header that is not the format's: nothing after it can be read. */
export class TraceHeaderError extends TraceError {}

/** A trace whose format cannot be told from its content. */
export class UnknownTrace extends Error {
  readonly _tag = 'UnknownTrace'

  constructor(firstLine: string, known: readonly string[]) {
    super(
      `The format of this trace is not known: it begins with ${shown(firstLine)}. Name one of ${known.join(', ')}. A description of a workload, rather than a trace, is for: windtunnel trace import FILE.`,
    )
    this.name = 'UnknownTrace'
  }
}

/** The simulation asked for rows that were not read yet: the driver ran past `knownUntil`. */
export class TraceStarved extends Error {
  readonly _tag = 'TraceStarved'

  constructor() {
    super(
      'The trace has more rows than were offered: offer rows while needsRows() is true, and run no further than knownUntil().',
    )
    this.name = 'TraceStarved'
  }
}

/** What was found, short enough for a message. */
export function shown(text: string): string {
  if (text === '') return 'nothing'
  return text.length > 60 ? `"${text.slice(0, 57)}..."` : `"${text}"`
}

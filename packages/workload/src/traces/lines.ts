import { TraceError } from './errors.ts'

/** The platform's decoder of UTF-8 bytes, as every JavaScript engine has it. */
declare const TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string }

/** A line longer than this many characters is no trace. */
export const LONGEST_LINE = 16_777_216

/** A document longer than this many characters does not fit a text of some JavaScript engine, with room to read it. */
const LONGEST_DOCUMENT = 268_435_456

/** Whether these first bytes are those of a gzip file. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Cuts pushed text (strings or UTF-8 bytes in pieces of any size) into lines. LF and CRLF end a line, the last may have
 * no end, a byte order mark is dropped. It holds no more than the last piece and an unfinished line, or the document.
 */
export class LineSplitter {
  private text = ''
  private at = 0
  /** Pieces behind `text` without an end of a line, put together only when one has come. */
  private tail: string[] = []
  private tailLength = 0
  private ended = false
  private started = false
  private decoder: InstanceType<typeof TextDecoder> | undefined
  /** Number of the line given last, from 1. */
  line = 0

  push(chunk: string | Uint8Array): void {
    const first = !this.started && chunk.length > 0
    if (first) this.started = true
    let piece: string
    if (typeof chunk === 'string') piece = first && chunk.startsWith('\uFEFF') ? chunk.slice(1) : chunk
    else {
      if (first && isGzip(chunk)) throw new TraceError('any', { line: 0 }, 'text', 'gzip bytes: decompress them first')
      this.decoder ??= new TextDecoder()
      piece = this.decoder.decode(chunk, { stream: true })
    }
    this.append(piece)
  }

  end(): void {
    if (this.decoder !== undefined) this.append(this.decoder.decode())
    this.ended = true
  }

  /** The next whole line without its end, or undefined when more text is needed (or none is left). */
  next(): string | undefined {
    const end = this.lineEnd()
    if (end < 0) return this.lastLine()
    const line = this.text.slice(this.at, this.text[end - 1] === '\r' && end > this.at ? end - 1 : end)
    this.at = end + 1
    this.line++
    return line
  }

  /** Takes the next line when it is whole and blank; says whether it did. */
  takeBlank(): boolean {
    const end = this.lineEnd()
    if (end < 0 || this.text.slice(this.at, end).trim() !== '') return false
    this.at = end + 1
    this.line++
    return true
  }

  /** All text not yet given, for formats that are one document. */
  rest(): string {
    this.join()
    const rest = this.text.slice(this.at)
    this.text = ''
    this.at = 0
    return rest
  }

  /** Text not yet given, at most `length` characters, without taking it. */
  look(length: number): string {
    if (this.text.length - this.at < length) this.join()
    return this.text.slice(this.at, this.at + length)
  }

  /** Characters of the next line with its end; undefined while that has not come. */
  get lineLength(): number | undefined {
    const end = this.lineEnd()
    return end < 0 ? undefined : end + 1 - this.at
  }

  /** Characters held. */
  get held(): number {
    return this.text.length - this.at + this.tailLength
  }

  get isEnded(): boolean {
    return this.ended
  }

  /** Throws when the next line is longer than one can be, before it has come as a whole. */
  refuseLongLine(): void {
    if ((this.lineLength ?? this.held) <= LONGEST_LINE) return
    const expected = `a line of at most ${LONGEST_LINE} characters`
    throw new TraceError('any', { line: this.line + 1 }, expected, 'a longer one, or one without an end')
  }

  /** Throws when what is held is longer than a document can be. */
  refuseLongDocument(): void {
    if (this.held > LONGEST_DOCUMENT)
      throw new TraceError('any', { line: 0 }, `a document of at most ${LONGEST_DOCUMENT} characters`, 'a longer one')
  }

  private append(piece: string): void {
    this.tail.push(piece)
    this.tailLength += piece.length
    if (piece.includes('\n')) this.join()
  }

  private join(): void {
    if (this.tail.length === 0) return
    this.text = (this.at === this.text.length ? '' : this.text.slice(this.at)) + this.tail.join('')
    this.at = 0
    this.tail = []
    this.tailLength = 0
  }

  /** Where the next line ends in `text`; -1 when its end has not come: pieces behind `text` have none. */
  private lineEnd(): number {
    return this.text.indexOf('\n', this.at)
  }

  private lastLine(): string | undefined {
    this.refuseLongLine()
    if (!this.ended || this.held === 0) return undefined
    const line = this.rest()
    this.line++
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}

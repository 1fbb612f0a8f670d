import { TraceError } from './errors.ts'

/** The platform's decoder of UTF-8 bytes, as every JavaScript engine has it. */
declare const TextDecoder: new () => { decode(bytes?: Uint8Array, options?: { stream?: boolean }): string }

/** A line longer than this many characters is no trace. */
const LONGEST = 67108864

/** Whether these first bytes are those of a gzip file. */
export const isGzip = (bytes: Uint8Array): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b

/**
 * Cuts pushed text (strings or UTF-8 bytes in pieces of any size) into lines. LF and CRLF end a line, the last may have
 * no end, a byte order mark is dropped. It holds no more than the last piece and an unfinished line.
 */
export class LineSplitter {
  private text = ''
  private at = 0
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
    const end = this.text.indexOf('\n', this.at)
    if (end < 0) return this.lastLine()
    const line = this.text.slice(this.at, this.text[end - 1] === '\r' && end > this.at ? end - 1 : end)
    this.at = end + 1
    this.line++
    return line
  }

  /** All text not yet given, for formats that are one document. */
  rest(): string {
    const rest = this.text.slice(this.at)
    this.text = ''
    this.at = 0
    return rest
  }

  /** Text not yet given, at most `length` characters, without taking it. */
  look(length: number): string {
    return this.text.slice(this.at, this.at + length)
  }

  /** Characters held. */
  get held(): number {
    return this.text.length - this.at
  }

  get isEnded(): boolean {
    return this.ended
  }

  private append(piece: string): void {
    this.text = this.at === this.text.length ? piece : this.text.slice(this.at) + piece
    this.at = 0
  }

  private lastLine(): string | undefined {
    if (!this.ended) {
      if (this.held > LONGEST)
        throw new TraceError('any', { line: this.line + 1 }, `a line of at most ${LONGEST} characters`, 'a longer one')
      return undefined
    }
    if (this.held === 0) return undefined
    const line = this.rest()
    this.line++
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
}

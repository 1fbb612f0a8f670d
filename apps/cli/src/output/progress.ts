/** A bar on stderr while a run goes on; silent when stderr is not a terminal. */
export class ProgressBar {
  readonly #stream: NodeJS.WriteStream
  readonly #shown: boolean
  #last = 0
  #drawn = false

  constructor(stream: NodeJS.WriteStream = process.stderr, wanted = true) {
    this.#stream = stream
    this.#shown = wanted && stream.isTTY === true && process.env['TERM'] !== 'dumb'
  }

  /** `share` from 0 to 1, or undefined when the end is not known; at most ten times a second. */
  update(share: number | undefined, words: string): void {
    if (!this.#shown) return
    const now = performance.now()
    if (now - this.#last < 100) return
    this.#last = now
    this.#drawn = true
    this.#stream.write(`\r\x1b[2K${this.#bar(share)} ${words}`.slice(0, (this.#stream.columns || 80) + 5))
  }

  clear(): void {
    if (this.#drawn) this.#stream.write('\r\x1b[2K')
    this.#drawn = false
  }

  #bar(share: number | undefined): string {
    if (share === undefined) return '[running]'
    const width = 30
    const full = Math.round(Math.min(1, Math.max(0, share)) * width)
    return `[${'='.repeat(full)}${' '.repeat(width - full)}] ${String(Math.floor(share * 100)).padStart(3)} %`
  }
}

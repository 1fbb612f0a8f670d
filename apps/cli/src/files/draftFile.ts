import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { CliFault } from '../fault.ts'

const FLUSH_LENGTH = 65_536

/**
 * A file that is written while a run goes on, under another name in the same folder; `keep` gives it its own name, and
 * `drop` leaves nothing behind.
 */
export class DraftFile {
  readonly path: string
  readonly #draft: string
  #file: number
  #text = ''

  constructor(path: string) {
    this.path = path
    this.#draft = join(dirname(path), `.${basename(path)}.${process.pid}.part`)
    this.#file = this.#trying(() => {
      mkdirSync(dirname(path), { recursive: true })
      return openSync(this.#draft, 'w')
    })
  }

  write(text: string): void {
    this.#text += text
    if (this.#text.length >= FLUSH_LENGTH) this.#flush()
  }

  writeBytes(bytes: Uint8Array): void {
    this.#flush()
    this.#trying(() => writeSync(this.#file, bytes))
  }

  keep(): void {
    this.#flush()
    this.#trying(() => {
      fsyncSync(this.#file)
      closeSync(this.#file)
      renameSync(this.#draft, this.path)
    })
  }

  drop(): void {
    try {
      closeSync(this.#file)
    } catch {
      // It was closed already.
    }
    rmSync(this.#draft, { force: true })
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    if (text !== '') this.#trying(() => writeSync(this.#file, text))
  }

  #trying<Value>(work: () => Value): Value {
    try {
      return work()
    } catch (error) {
      throw new CliFault(`cannot write ${this.path}: ${error instanceof Error ? error.message : String(error)}`, 1)
    }
  }
}

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, writeTrouble } from './folder.ts'
import { type Target, targetOf } from './target.ts'

const FLUSH_LENGTH = 65_536

/**
 * A file that is written while a run goes on, under another name in the same folder; `keep` gives it its own name, and
 * `drop` leaves nothing behind. Devices and pipes, such as /dev/stdout, are written as they are.
 */
export class DraftFile {
  readonly path: string
  readonly #target: Target
  readonly #file: number
  #text = ''
  #open = true

  constructor(path: string) {
    this.path = path
    this.#target = targetOf(path)
    this.#file = this.#trying(() => {
      makeFolder(dirname(path))
      return openSync(this.#target.draft ?? path, 'w')
    }, 2)
  }

  write(text: string): void {
    this.#text += text
    if (this.#text.length >= FLUSH_LENGTH) this.#flush()
  }

  writeBytes(bytes: Uint8Array): void {
    this.#flush()
    this.#trying(() => this.#writeAll(bytes))
  }

  keep(): void {
    this.#flush()
    const { draft, path } = this.#target
    this.#trying(() => {
      if (draft !== undefined) fsyncSync(this.#file)
      this.#close()
      if (draft !== undefined) renameSync(draft, path)
    })
  }

  drop(): void {
    this.#close()
    if (this.#target.draft !== undefined) rmSync(this.#target.draft, { force: true })
  }

  #close(): void {
    if (this.#open) closeSync(this.#file)
    this.#open = false
  }

  #flush(): void {
    const text = this.#text
    this.#text = ''
    if (text !== '') this.#trying(() => this.#writeAll(Buffer.from(text)))
  }

  /** A device or a pipe may take less than it is given. */
  #writeAll(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#file, bytes, at)
  }

  #trying<Value>(work: () => Value, exitCode: 1 | 2 = 1): Value {
    try {
      return work()
    } catch (error) {
      throw writeTrouble(this.path, error, exitCode)
    }
  }
}

/**
 * The accelerators of one engine: they do one thing at a time. In interleaved mode a prefill and a generate thread share one
 * device; who has stood in line longest goes first.
 */
export class Device<User extends object> {
  #holder: User | undefined
  readonly #line: User[] = []

  /** Whether somebody stands in line. */
  get wanted(): boolean {
    return this.#line.length > 0
  }

  /** Takes the device, or stands in line for it: ask again when something has moved. */
  take(user: User): boolean {
    if (!this.#line.includes(user)) this.#line.push(user)
    if (this.#holder !== undefined || this.#line[0] !== user) return false
    this.#line.shift()
    this.#holder = user
    return true
  }

  release(): void {
    this.#holder = undefined
  }
}

/** Numbers for session names, from 1 in the order of appearance; "" has none (0). One entry is kept for each name. */
export class SessionNumbers {
  private readonly byName = new Map<string, number>()
  private last = 0

  of(name: string): number {
    if (name === '') return 0
    const known = this.byName.get(name)
    if (known !== undefined) return known
    this.byName.set(name, this.fresh())
    return this.last
  }

  /** A number that no name has. */
  fresh(): number {
    return ++this.last
  }

  /** Gives `name` the number of another session. */
  alias(name: string, session: number): void {
    this.byName.set(name, session)
  }
}

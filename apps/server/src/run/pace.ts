/** Virtual seconds per wall second over the last wall second or so of playing. */
export class Pace {
  #marks: { wall: number; virtual: number }[] = []

  reset(): void {
    this.#marks = []
  }

  mark(wall: number, virtual: number): number {
    this.#marks.push({ wall, virtual })
    while (this.#marks.length > 2 && wall - this.#marks[1]!.wall > 1) this.#marks.shift()
    const first = this.#marks[0]!
    return wall > first.wall ? (virtual - first.virtual) / (wall - first.wall) : 0
  }
}

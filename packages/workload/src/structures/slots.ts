/** Numbers 0, 1, 2 ... for things that live for a while; a freed one is given out again. */
export class Slots {
  private readonly free: number[] = []
  private used = 0

  take(): number {
    return this.free.pop() ?? this.used++
  }

  give(slot: number): void {
    this.free.push(slot)
  }
}

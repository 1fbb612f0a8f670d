import {
  addSeconds,
  compareTime,
  copyTime,
  EventQueue,
  type Time,
  timeFromSeconds,
  toSeconds,
  zeroTime,
} from '@windtunnel/des'
import { CannotSteer, ClosedLoopStuck } from '../parts/errors.ts'
import { count, seconds, withDefault } from '../parts/units.ts'
import type { ArrivalProcess } from './arrivalProcess.ts'
import { arrivalPart } from './part.ts'

/** A fixed number of users, each with at most one piece of work in the system. */
class ClosedLoop implements ArrivalProcess {
  readonly meanRate = undefined
  private readonly ready: EventQueue
  private readonly think: () => number
  private readonly at: Time = zeroTime()
  /** Releases at one instant, and how many of them cannot be by chance. */
  private readonly lastRelease: Time = zeroTime()
  private releases = 0
  private readonly mostReleases: number

  constructor(users: number, startSeconds: (user: number) => number, think: () => number) {
    this.ready = new EventQueue(users)
    this.think = think
    this.mostReleases = 1000 * (users + 10)
    for (let user = 0; user < users; user++) {
      const start = timeFromSeconds(startSeconds(user))
      this.ready.push(start.seconds, start.ticks, 0, 0, 0)
    }
  }

  peek(into: Time): boolean {
    return this.ready.peek(into)
  }

  advance(): void {
    this.ready.pop()
  }

  setRate(): void {
    throw new CannotSteer(
      'A closed loop has no rate: its users send when their last answer is there. Change the number of users.',
    )
  }

  released(time: Time): void {
    if (compareTime(time, this.lastRelease) !== 0) {
      copyTime(this.lastRelease, time)
      this.releases = 0
    }
    if (++this.releases > this.mostReleases) throw new ClosedLoopStuck(this.releases, toSeconds(time))
    addSeconds(copyTime(this.at, time), this.think())
    this.ready.push(this.at.seconds, this.at.ticks, 0, 0, 0)
  }
}

export const closedLoop = arrivalPart({
  name: 'closedLoop',
  sentence: 'A fixed number of users, each sending its next request when the last one ended and it has thought.',
  options: {
    users: count('users', 'Users, and so the most pieces of work in the system at once.'),
    thinkSeconds: withDefault(seconds('Mean pause of a user between an ending and the next request.'), 0),
    think: withDefault(
      { kind: 'choice', names: ['fixed', 'exponential'], sentence: 'Whether pauses are all alike or vary.' } as const,
      'fixed',
    ),
    rampSeconds: withDefault(seconds('Time over which the users start, evenly; 0 starts all at time 0.'), 0),
  },
  create: ({ users, thinkSeconds, think, rampSeconds }, { stream }) => {
    const random = stream('think')
    const pause = think === 'fixed' ? () => thinkSeconds : () => random.exponential(thinkSeconds)
    return new ClosedLoop(users, (user) => (rampSeconds * user) / users, pause)
  },
})

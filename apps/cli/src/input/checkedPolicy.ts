import type { Router, Scheduler } from '@windtunnel/orchestrator'
import type { Picker } from '@windtunnel/orchestrator/schedulers/index'
import { CliFault } from '../fault.ts'

/** A router of the user's own that blames itself, and not this program, for what it throws or for a choice that cannot be. */
export function checkedRouter(path: string, router: Router): Router {
  const tell = failed(path, router.name)
  return {
    name: router.name,
    description: router.description,
    ...(router.options === undefined ? {} : { options: router.options }),
    ...(router.cacheDelaySeconds === undefined ? {} : { cacheDelaySeconds: router.cacheDelaySeconds }),
    start: (random, values) => {
      const choose = tell('start', () => router.start(random, values))
      if (typeof choose !== 'function') throw wrong(path, router.name, 'start', choose, 'a function (request, view)')
      return (request, view) => {
        const chosen = tell('its choice', () => choose(request, view))
        if (isPlace(chosen, view.count)) return chosen
        throw wrong(path, router.name, 'its choice', chosen, `a whole number from 0 to ${view.count - 1}`)
      }
    },
  }
}

/** A scheduler of the user's own, likewise. */
export function checkedScheduler(path: string, scheduler: Scheduler): Scheduler {
  const { name, description, victim } = scheduler
  const tell = failed(path, name)
  return {
    name,
    description,
    victim,
    ...(scheduler.rank === undefined
      ? {}
      : {
          rank: (request) => {
            const rank = tell('rank', () => scheduler.rank!(request))
            if (typeof rank === 'number' && !Number.isNaN(rank)) return rank
            throw wrong(path, name, 'rank', rank, `a number; it was given ${Object.keys(request).join(', ')}`)
          },
        }),
    ...(scheduler.start === undefined
      ? {}
      : {
          start: () =>
            checkedPicker(
              path,
              name,
              tell('start', () => scheduler.start!()),
            ),
        }),
  }
}

function checkedPicker(path: string, name: string, picker: Picker): Picker {
  const tell = failed(path, name)
  if (typeof picker?.pick !== 'function') throw wrong(path, name, 'start', picker, 'an object with pick(queue)')
  return {
    ...(picker.joined === undefined
      ? {}
      : { joined: (request, queue) => tell('joined', () => picker.joined!(request, queue)) }),
    ...(picker.admitted === undefined
      ? {}
      : { admitted: (request) => tell('admitted', () => picker.admitted!(request)) }),
    pick: (queue) => {
      const picked = tell('pick', () => picker.pick(queue))
      if (isPlace(picked, queue.count)) return picked
      throw wrong(path, name, 'pick', picked, `a whole number from 0 to ${queue.count - 1}`)
    },
  }
}

const isPlace = (value: unknown, count: number): boolean =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < count

/** Runs a piece of the user's code, and says where it was when it throws. */
const failed =
  (path: string, name: string) =>
  <T>(what: string, run: () => T): T => {
    try {
      return run()
    } catch (error) {
      if (error instanceof CliFault) throw error
      const fault = new CliFault(
        `${path}: ${what} of ${name} failed: ${error instanceof Error ? error.message : error}`,
      )
      if (error instanceof Error && error.stack !== undefined) fault.stack = error.stack
      throw fault
    }
  }

const wrong = (path: string, name: string, what: string, found: unknown, expected: string): CliFault =>
  new CliFault(`${path}: ${what} of ${name} is ${String(found)}; expected ${expected}`)

import { setImmediate, setTimeout } from 'node:timers'
import { LiveRun, type LiveRunOptions } from './liveRun.ts'
import type { Question, RunHost, RunOrder } from './runNews.ts'

const wallSeconds = (): number => performance.now() / 1000

/** Processor time of this thread; wall time on versions of Node that cannot tell. */
function workSeconds(): number {
  if (typeof process.threadCpuUsage !== 'function') return wallSeconds()
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1e6
}

/** Plays a run in this thread: between its slices the event loop serves whatever else there is. */
export async function openLocalHost(options: Omit<LiveRunOptions, 'clock' | 'workClock'>): Promise<RunHost> {
  const run = new LiveRun({ ...options, clock: wallSeconds, workClock: workSeconds })
  await run.open()
  let open = true
  const turn = (): void => {
    if (!open) return
    const delay = run.turn()
    if (delay === 0) setImmediate(turn)
    else setTimeout(turn, delay * 1000)
  }
  turn()
  return {
    send: (order) => answer(run, options.tell, order),
    close: async () => {
      open = false
    },
  }
}

function answer(run: LiveRun, tell: LiveRunOptions['tell'], order: RunOrder): void {
  const { token } = order
  if (order.kind === 'question') {
    tell({ kind: 'reply', token, text: documentOf(run, order.about) })
    return
  }
  run.command(order.message).then((reply) => tell({ kind: 'reply', token, text: JSON.stringify(reply) }))
}

function documentOf(run: LiveRun, about: Question): string {
  switch (about) {
    case 'summary':
      return JSON.stringify(run.summary())
    case 'log':
      return JSON.stringify(run.log())
    case 'metrics':
      return run.metrics()
  }
}

import { setImmediate, setTimeout } from 'node:timers'
import { LiveRun, type LiveRunOptions } from './liveRun.ts'
import type { RunHost, RunOrder } from './runNews.ts'

const wallSeconds = (): number => performance.now() / 1000

/** Plays a run in this thread: between its slices the event loop serves whatever else there is. */
export async function openLocalHost(options: Omit<LiveRunOptions, 'clock'>): Promise<RunHost> {
  const run = new LiveRun({ ...options, clock: wallSeconds })
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
    const document = order.about === 'summary' ? run.summary() : run.log()
    tell({ kind: 'reply', token, text: JSON.stringify(document) })
    return
  }
  run.command(order.message).then((reply) => tell({ kind: 'reply', token, text: JSON.stringify(reply) }))
}

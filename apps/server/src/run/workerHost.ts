import { Worker } from 'node:worker_threads'
import type { Speed } from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import type { RunHost, RunNews } from './runNews.ts'

/** What a run in a thread of its own is made from: plain values that can cross to it. */
export interface RunRecipe {
  readonly run: string
  readonly scenario: Scenario
  /** Where relative paths in the scenario start. */
  readonly folder: string
  readonly seed?: number
  readonly speed?: Speed
  readonly autostart?: boolean
  /** Commands of an earlier run with this seed to apply again. */
  readonly replay?: readonly LoggedCommand[]
}

/** First word of the thread: the run is open, or why it could not be. */
export type WorkerGreeting = { kind: 'open' } | { kind: 'failed'; message: string }

export type WorkerNews = RunNews | WorkerGreeting

const fromSource = import.meta.url.endsWith('.ts')
const program = new URL(fromSource ? './runWorker.ts' : './runWorker.js', import.meta.url)

/** Opens a run in a thread of its own, so that neither it nor the viewers wait for the other. */
export function openWorkerHost(recipe: RunRecipe, tell: (news: RunNews) => void): Promise<RunHost> {
  const worker = new Worker(program, {
    workerData: recipe,
    ...(fromSource ? { execArgv: ['--conditions=@windtunnel/source'] } : {}),
  })
  return new Promise((resolve, reject) => {
    let open = false
    const hear = (news: WorkerNews): void => {
      if (news.kind === 'open') {
        open = true
        resolve({
          send: (order) => worker.postMessage(order),
          close: async () => void (await worker.terminate()),
          cpuSeconds: async () => {
            const { user, system } = await worker.cpuUsage()
            return (user + system) / 1e6
          },
        })
      } else if (news.kind === 'failed') {
        reject(new Error(news.message))
        void worker.terminate()
      } else tell(news)
    }
    worker.on('message', (told: WorkerNews[]) => told.forEach(hear))
    worker.on('error', (cause: Error) => {
      if (open) tell({ kind: 'broken', message: cause.message })
      else reject(cause)
    })
  })
}

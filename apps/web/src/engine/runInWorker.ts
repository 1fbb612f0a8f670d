import type { EngineNews, EngineOrder } from './orders.ts'
import type { RunOutcome, RunWish } from './runToEnd.ts'
import { startEngine } from './startEngine.ts'

/** Runs a scenario to its end in a worker of its own. Rejects with the engine's sentence, or when `signal` ends it. */
export const runInWorker = (wish: RunWish, signal: AbortSignal): Promise<RunOutcome> => {
  const worker = startEngine()
  const result = new Promise<RunOutcome>((resolve, reject) => {
    worker.onmessage = ({ data: news }: MessageEvent<EngineNews>) => {
      if (news.kind === 'finished') resolve(news.outcome)
      else if (news.kind === 'refused') reject(new Error(news.reason))
    }
    worker.onerror = (event) => reject(new Error(`The engine stopped: ${event.message}`))
    signal.addEventListener('abort', () => reject(new Error('stopped')))
  })
  worker.postMessage({ kind: 'run', wish } satisfies EngineOrder)
  return result.finally(() => worker.terminate())
}

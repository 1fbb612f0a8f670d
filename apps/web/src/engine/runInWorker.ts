import type { RunSummary } from '@windtunnel/protocol'
import type { EngineNews, EngineOrder } from './orders.ts'
import { startEngine } from './startEngine.ts'

/** Runs a scenario to its end in a worker of its own. Rejects with the engine's sentence; `stop` ends it early. */
export const runInWorker = (scenario: string, seed?: number): { result: Promise<RunSummary>; stop: () => void } => {
  const worker = startEngine()
  const result = new Promise<RunSummary>((resolve, reject) => {
    worker.onmessage = ({ data: news }: MessageEvent<EngineNews>) => {
      if (news.kind === 'finished') resolve(news.summary)
      else if (news.kind === 'refused') reject(new Error(news.reason))
      else return
      worker.terminate()
    }
    worker.onerror = (event) => reject(new Error(`The engine stopped: ${event.message}`))
  })
  const order: EngineOrder = { kind: 'run', token: 0, scenario, ...(seed === undefined ? {} : { seed }) }
  worker.postMessage(order)
  return { result, stop: () => worker.terminate() }
}

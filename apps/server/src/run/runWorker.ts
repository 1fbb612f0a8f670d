import { parentPort, workerData } from 'node:worker_threads'
import { compileLargerFunctions } from '@windtunnel/study/workers/largerFunctions'
import { openLocalHost } from './localHost.ts'
import type { RunOrder } from './runNews.ts'
import { openScenarioFiles } from './scenarioFiles.ts'
import { prepareScenario } from './scenarioRun.ts'
import type { RunRecipe, WorkerNews } from './workerHost.ts'

/** The thread of one run: plays it, tells its news to the server's thread, and does as it is ordered from there. */
async function main(): Promise<void> {
  const { run, scenario, folder, seed, speed, autostart, replay } = workerData as RunRecipe
  let told: WorkerNews[] = []
  const tell = (news: WorkerNews): void => {
    // What is told in one go crosses to the server's thread in one go.
    if (told.length === 0)
      queueMicrotask(() => {
        parentPort?.postMessage(told)
        told = []
      })
    told.push(news)
  }
  compileLargerFunctions()
  try {
    const host = await openLocalHost({
      run,
      tell,
      prepare: prepareScenario(scenario, () => openScenarioFiles(scenario, folder)),
      ...(seed === undefined ? {} : { seed }),
      ...(replay === undefined ? {} : { replay }),
      ...(speed === undefined ? {} : { speed }),
      ...(autostart === undefined ? {} : { autostart }),
    })
    tell({ kind: 'open' })
    parentPort?.on('message', (order: RunOrder) => host.send(order))
  } catch (cause) {
    tell({ kind: 'failed', message: cause instanceof Error ? cause.message : String(cause) })
  }
}

await main()

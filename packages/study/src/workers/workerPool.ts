import { availableParallelism } from 'node:os'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { compileLargerFunctions } from './largerFunctions.ts'

interface Reply<Result> {
  readonly result?: Result
  readonly error?: {
    readonly name: string
    readonly message: string
    readonly tag: string | undefined
    readonly stack: string | undefined
  }
}

export interface PoolOptions<Result> {
  /** Threads at most; as many as the machine runs at once when absent. */
  readonly threads?: number
  /** Called as results come, in whatever order. */
  onResult?(task: number, result: Result): void
}

/**
 * Runs the tasks on worker threads that execute `module` (which calls `serveTasks`), and gives their results in the order
 * of the tasks, whichever is done first. The first error stops all and is thrown, with its name and `_tag`.
 */
export async function runOnWorkers<Task, Result>(
  module: URL,
  tasks: readonly Task[],
  options: PoolOptions<Result> = {},
): Promise<Result[]> {
  const threads = Math.max(1, Math.min(options.threads ?? availableParallelism(), tasks.length))
  const results: Result[] = new Array(tasks.length)
  const workers: Worker[] = []
  let next = 0
  try {
    await Promise.all(
      Array.from({ length: threads }, () => {
        const worker = new Worker(module)
        workers.push(worker)
        return new Promise<void>((resolve, reject) => {
          let current = -1
          const give = (): void => {
            if (next >= tasks.length) return resolve()
            current = next++
            worker.postMessage(tasks[current])
          }
          worker.on('message', (reply: Reply<Result>) => {
            if (reply.error !== undefined) return reject(revived(reply.error))
            results[current] = reply.result as Result
            options.onResult?.(current, reply.result as Result)
            give()
          })
          worker.on('error', reject)
          worker.on('exit', (code) => reject(new Error(`a worker thread ended with code ${code}`)))
          give()
        })
      }),
    )
  } finally {
    for (const worker of workers) void worker.terminate()
  }
  return results
}

function revived({ name, message, tag, stack }: NonNullable<Reply<never>['error']>): Error {
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return tag === undefined ? error : Object.assign(error, { _tag: tag })
}

/** To be called by the module that workers execute: answers each task with what `run` makes of it. */
export function serveTasks<Task, Result>(run: (task: Task) => Promise<Result>): void {
  if (isMainThread || parentPort === null) return
  const port = parentPort
  port.on('message', async (task: Task) => {
    compileLargerFunctions()
    try {
      port.postMessage({ result: await run(task) } satisfies Reply<Result>)
    } catch (error) {
      port.postMessage({ error: described(error) } satisfies Reply<Result>)
    }
  })
}

function described(error: unknown): NonNullable<Reply<never>['error']> {
  const whole = error instanceof Error ? error : new Error(String(error))
  const tag = '_tag' in whole && typeof whole._tag === 'string' ? whole._tag : undefined
  return { name: whole.name, message: whole.message, tag, stack: whole.stack }
}

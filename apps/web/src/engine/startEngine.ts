/** Starts a worker that holds the engine. Its code is a file of its own, fetched only now. */
export const startEngine = (): Worker =>
  new Worker(new URL('./worker.ts', import.meta.url), { type: 'module', name: 'windtunnel engine' })

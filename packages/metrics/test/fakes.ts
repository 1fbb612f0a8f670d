import type { Observer, SimulationView } from '@windtunnel/orchestrator'
import type { RunRecorder } from '../src/summary/runRecorder.ts'

/** One replica with 1 of 8 KV blocks in use, 6 at its peak. */
export const fakeView = (time: number): SimulationView => ({
  time,
  arrived: 0,
  completed: 0,
  rejected: 0,
  failed: 0,
  cancelled: 0,
  timedOut: 0,
  replicas: [
    {
      replica: 0,
      pool: 'main',
      role: 'both',
      state: 'up',
      running: 0,
      waiting: 0,
      transferring: 0,
      usedBlocks: 1,
      totalBlocks: 8,
      peakUsedBlocks: 6,
      contextTokens: 0,
      stepsDone: 9,
    },
  ],
})

/** What a recorder would attach to a simulation, to be told facts by hand. */
export function observersOf(recorder: RunRecorder): Observer[] {
  const observers: Observer[] = []
  recorder.attach({ observe: (observer: Observer) => observers.push(observer) } as never)
  return observers
}

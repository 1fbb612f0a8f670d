import { presetText } from '@windtunnel/scenario/presets/index'
import { expect, it } from 'vitest'
import { runToEnd } from '../src/engine/runToEnd.ts'

const scenario = (presetText('chat-and-batch') ?? '').replace(/durationSeconds: \d+/, 'durationSeconds: 40')
const at = (seconds: number, command: object) => ({ seconds, ticks: 0, command })
const log = JSON.stringify({
  seed: 4,
  commands: [
    at(10, { kind: 'mix', weights: { chat: 1, batch: 1 }, promptScale: 2 }),
    // On the border of two frames.
    at(20, { kind: 'killReplica', replica: 0 }),
    at(20, { kind: 'rate', requestsPerSecond: 30 }),
    at(39, { kind: 'addReplica', pool: 'shared' }),
  ],
})

it('a run is played again from its log to the same facts, with frames taken on the way or without', async () => {
  const [plain, framed, without] = await Promise.all([
    runToEnd({ scenario, log }),
    runToEnd({ scenario, log, frames: 20 }),
    runToEnd({ scenario, seed: 4 }),
  ])
  expect(framed.summary.factsHash).toBe(plain.summary.factsHash)
  expect(framed.frames.map(({ time }) => Number(time.toFixed(9)))).toEqual(
    Array.from({ length: 19 }, (_, index) => 2 * (index + 1)),
  )
  expect(framed.frames.at(-1)?.replicas.filter(({ state }) => state === 'down')).toHaveLength(1)
  expect(without.summary.factsHash).not.toBe(plain.summary.factsHash)
})

it('a damaged log is refused with a sentence', async () => {
  await expect(runToEnd({ scenario, log: '{"seed":1,"commands":[{"seconds":1}]}' })).rejects.toThrow('damaged')
})

import { FactsHash } from '@windtunnel/metrics'
import type { Command } from '@windtunnel/orchestrator'
import { describe, expect, it } from 'vitest'
import { type BuiltRun, buildRun } from '../../src/build/buildRun.ts'
import { runBatch } from '../../src/drivers/batch.ts'
import { PacedDriver } from '../../src/drivers/paced.ts'
import { readScenario } from '../../src/schema/decode.ts'

const text = `version: 1
model: llama-3.1-8b
fleet: [{ hardware: h100, replicas: 2 }]
traffic:
  arrivals: { name: poisson, requestsPerSecond: 20 }
  structure: { name: single, input: { name: fixed, tokens: 500 }, output: { name: uniform, minimum: 1, maximum: 200 } }
run: { durationSeconds: 20 }
`

const twoStreams = `version: 1
model: llama-3.1-8b
fleet: [{ hardware: h100, replicas: 2 }]
objectives: { chat: { ttftSeconds: 1 }, bulk: { ttftSeconds: 30 } }
traffic:
  streams:
    - serviceClass: chat
      arrivals: { name: poisson, requestsPerSecond: 15 }
      structure: { name: single, input: { name: lognormal, mean: 300, cv: 1 }, output: { name: fixed, tokens: 100 } }
    - serviceClass: bulk
      arrivals: { name: gamma, requestsPerSecond: 5, cv: 2 }
      structure: { name: single, input: { name: fixed, tokens: 3000 }, output: { name: uniform, minimum: 1, maximum: 200 } }
run: { durationSeconds: 20 }
`

function started(scenario = text): { run: BuiltRun; hash: FactsHash } {
  const run = buildRun(readScenario(scenario))
  const hash = new FactsHash()
  run.simulation.observe(hash)
  return { run, hash }
}

function batchHash(sliceEvents: number): string {
  const { run, hash } = started()
  runBatch(run.simulation, { durationSeconds: 20, sliceEvents })
  return hash.digest()
}

/** Plays with a wall clock that jumps by `frames` in turn, with commands at given frames. */
function play(
  speed: number,
  frames: readonly number[],
  commands: ReadonlyMap<number, Command> = new Map(),
  scenario = text,
) {
  const { run, hash } = started(scenario)
  let wall = 0
  const driver = new PacedDriver(run.simulation, { clock: () => wall, speed, durationSeconds: 20, sliceEvents: 100 })
  driver.play()
  for (let frame = 0; !driver.ended(); frame++) {
    wall += frames[frame % frames.length]!
    driver.advance()
    const command = commands.get(frame)
    if (command !== undefined) driver.apply(command)
  }
  return { hash: hash.digest(), log: driver.log, run }
}

describe('the batch driver', () => {
  it('gives the same facts however the run is cut into slices', () => {
    expect(batchHash(7)).toBe(batchHash(100_000))
  })
})

describe('the paced driver', () => {
  it('gives the facts of the batch driver at any pace, with uneven frames', () => {
    const expected = batchHash(100_000)
    expect(play(1, [0.1]).hash).toBe(expected)
    expect(play(100, [0.016, 0.05, 0]).hash).toBe(expected)
    expect(play(Number.POSITIVE_INFINITY, [0.016]).hash).toBe(expected)
  })

  it('pauses, steps and goes on without changing the facts', () => {
    const { run, hash } = started()
    let wall = 0
    const driver = new PacedDriver(run.simulation, { clock: () => wall, speed: 10, durationSeconds: 20 })
    driver.play()
    wall = 0.5
    driver.advance()
    expect(run.simulation.view().time).toBe(5)
    expect(driver.step(3)).toBe(3)
    expect(driver.playback).toBe('paused')
    wall = 100
    driver.advance()
    expect(run.simulation.view().time).toBeLessThan(6)
    driver.play()
    wall = 101
    driver.advance()
    expect(run.simulation.view().time).toBeGreaterThan(15)
    wall = 102
    while (!driver.ended()) driver.advance()
    expect(driver.playback).toBe('ended')
    expect(hash.digest()).toBe(batchHash(100_000))
  })

  it('logs commands so that the batch driver replays them to the same facts', () => {
    const commands = new Map<number, Command>([
      [20, { kind: 'rate', requestsPerSecond: 60 }],
      [50, { kind: 'router', name: 'least-loaded' }],
      [90, { kind: 'addReplica', pool: 'default' }],
    ])
    const { hash, log } = play(1, [0.1], commands)
    expect(log.map((entry) => entry.command.kind)).toEqual(['rate', 'router', 'addReplica'])
    expect(hash).not.toBe(batchHash(100_000))
    const again = started()
    const replayed = runBatch(again.run.simulation, { durationSeconds: 20, replay: log })
    expect(again.hash.digest()).toBe(hash)
    expect(replayed).toEqual(log)
  })

  it('replays a log itself, at any pace and by steps, and leaves it when asked', () => {
    const { hash, log } = play(
      1,
      [0.1],
      new Map<number, Command>([
        [20, { kind: 'rate', requestsPerSecond: 60 }],
        [90, { kind: 'addReplica', pool: 'default' }],
      ]),
    )
    for (const speed of [3, Number.POSITIVE_INFINITY]) {
      const again = started()
      let wall = 0
      const told: string[] = []
      const driver = new PacedDriver(again.run.simulation, {
        clock: () => wall,
        speed,
        durationSeconds: 20,
        sliceEvents: 60,
        replay: log,
        onReplayed: (command) => told.push(command.kind),
      })
      driver.step(150)
      driver.play()
      for (; !driver.ended(); wall += 0.016) driver.advance()
      expect(again.hash.digest()).toBe(hash)
      expect(told).toEqual(['rate', 'addReplica'])
      expect(driver.log).toEqual(log)
    }
    const other = started()
    const driver = new PacedDriver(other.run.simulation, { clock: () => 0, durationSeconds: 20, replay: log })
    expect(driver.replaying).toBe(true)
    driver.leaveReplay()
    expect(driver.replaying).toBe(false)
    driver.step(1_000_000)
    expect(driver.log).toEqual([])
  })

  it('logs changes of the mix, and replays them to the same facts at once, and at any pace', () => {
    const commands = new Map<number, Command>([
      [20, { kind: 'mix', weights: { chat: 1, bulk: 3 } }],
      [40, { kind: 'rate', requestsPerSecond: 35 }],
      [60, { kind: 'mix', promptScale: 2.5, outputScale: 0.5 }],
      [90, { kind: 'mix', weights: { chat: 1, bulk: 0 }, promptScale: 1 }],
    ])
    const { hash, log, run } = play(1, [0.1], commands, twoStreams)
    expect(log.map((entry) => entry.command)).toEqual([...commands.values()])
    expect(run.source.mix).toEqual({
      streams: [
        { name: 'chat', share: 1 },
        { name: 'bulk', share: 0 },
      ],
      promptScale: 1,
      outputScale: 0.5,
    })
    const again = started(twoStreams)
    runBatch(again.run.simulation, { durationSeconds: 20, replay: log, sliceEvents: 13 })
    expect(again.hash.digest()).toBe(hash)
    const paced = started(twoStreams)
    let wall = 0
    const driver = new PacedDriver(paced.run.simulation, {
      clock: () => wall,
      speed: 7,
      durationSeconds: 20,
      replay: log,
    })
    driver.play()
    for (; !driver.ended(); wall += 0.033) driver.advance()
    expect(paced.hash.digest()).toBe(hash)
  })

  it('refuses a change of the mix in words, and logs nothing', () => {
    const { run } = started(twoStreams)
    const driver = new PacedDriver(run.simulation, { clock: () => 0, durationSeconds: 20 })
    expect(() => driver.apply({ kind: 'mix', weights: { chat: 1, blk: 1 } })).toThrow('Did you mean bulk?')
    expect(() => driver.apply({ kind: 'mix', outputScale: 0 })).toThrow('expected a factor of 0.01 to 100, found 0')
    expect(driver.log).toEqual([])
  })

  it('refuses a speed that is not above 0', () => {
    const { run } = started()
    expect(() => new PacedDriver(run.simulation, { clock: () => 0, speed: 0 })).toThrow(/speed must be above 0/)
  })
})

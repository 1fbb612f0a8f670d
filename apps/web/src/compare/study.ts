import { useRef, useState } from 'react'
import { runInWorker } from '../engine/runInWorker.ts'
import type { RunOutcome } from '../engine/runToEnd.ts'

export interface Variant {
  label: string
  /** Lines of the form path=value. */
  overrides: string
}

/** What a study has found so far: outcomes by variant, then by seed. */
export interface Found {
  variants: readonly Variant[]
  seeds: readonly number[]
  outcomes: readonly (readonly (RunOutcome | undefined)[])[]
  faults: readonly (string | undefined)[]
  done: number
  running: boolean
}

const frames = 120
const workers = Math.max(1, Math.min(4, navigator.hardwareConcurrency))

export const linesOf = (overrides: string): string[] =>
  overrides
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Runs every variant with every seed, a few at a time, each in a worker. */
export const useStudy = (): {
  found: Found | undefined
  start: (scenario: string, variants: readonly Variant[], seeds: readonly number[]) => void
  stop: () => void
} => {
  const [found, setFound] = useState<Found | undefined>(undefined)
  const stopper = useRef<AbortController | undefined>(undefined)
  const stop = () => stopper.current?.abort()

  const start = (scenario: string, variants: readonly Variant[], seeds: readonly number[]) => {
    stop()
    const controller = new AbortController()
    stopper.current = controller
    const outcomes: (RunOutcome | undefined)[][] = variants.map(() => seeds.map(() => undefined))
    const faults: (string | undefined)[] = variants.map(() => undefined)
    const jobs = seeds.flatMap((_, seed) => variants.map((__, variant) => ({ seed, variant })))
    let done = 0
    const show = (running: boolean) => {
      if (stopper.current === controller)
        setFound({ variants, seeds, outcomes: outcomes.map((row) => [...row]), faults: [...faults], done, running })
    }
    const work = async (): Promise<void> => {
      for (let job = jobs.shift(); job !== undefined && !controller.signal.aborted; job = jobs.shift()) {
        const { variant, seed } = job
        const overrides = linesOf(variants[variant]?.overrides ?? '')
        const wish = { scenario, overrides, seed: seeds[seed], frames: seed === 0 ? frames : undefined }
        try {
          outcomes[variant]![seed] = await runInWorker(wish, controller.signal)
        } catch (cause) {
          if (!controller.signal.aborted) faults[variant] = cause instanceof Error ? cause.message : String(cause)
        }
        done += 1
        show(true)
      }
    }
    show(true)
    void Promise.all(Array.from({ length: workers }, work)).then(() => show(false))
  }
  return { found, start, stop }
}

import { keyValueBytesPerAccelerator } from '@windtunnel/cost/memory/keyValueBytes'
import { weightBytesPerAccelerator } from '@windtunnel/cost/memory/weightBytes'
import type { ReplicaLayout } from '@windtunnel/cost/step/layout'
import type { PlanQuestion } from './planQuestion.ts'

/** What the fullest card keeps. Bytes. */
export interface LayoutMemory {
  readonly weightBytes: number
  readonly kvBytes: number
  readonly totalBytes: number
  readonly fits: boolean
}

/**
 * (6-1) for one card of an instance with so many sessions, at their last context. A session that brings its context keeps
 * it while it waits; one that must be prefilled holds memory only while it is served.
 */
export function layoutMemory(question: PlanQuestion, layout: ReplicaLayout, queued: number): LayoutMemory {
  const { input, architecture, dtypes, capacityBytes } = question
  const held = input.context > 0 ? queued : Math.min(queued, input.concurrency)
  const perRank = Math.ceil(held / layout.dp)
  const each = keyValueBytesPerAccelerator(architecture, layout, dtypes.keyValues)
  const tokens = input.context + input.prompt + input.output
  const kvBytes = perRank * (each.perToken * tokens + each.perSequence)
  const weightBytes = weightBytesPerAccelerator(architecture, layout, dtypes)
  const totalBytes = weightBytes + kvBytes + input.workspace
  return { weightBytes, kvBytes, totalBytes, fits: totalBytes <= capacityBytes }
}

import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Router, Scheduler } from '@windtunnel/orchestrator'
import type { OwnPolicies } from '@windtunnel/scenario/build/buildRun'
import { CliFault } from '../fault.ts'

/**
 * Loads routers and schedulers of the user's own: files that export one each, as `default` or under any name. Throws a
 * CliFault that says what is missing.
 */
export async function loadPolicies(paths: readonly string[]): Promise<OwnPolicies> {
  let policies: OwnPolicies = {}
  for (const path of paths) {
    const found = Object.values(await imported(path))
    const router = found.find(isRouter)
    const scheduler = found.find(isScheduler)
    if (router === undefined && scheduler === undefined) throw new CliFault(`${path} exports no policy: ${SHAPES}`)
    policies = {
      ...policies,
      ...(router === undefined ? {} : { router }),
      ...(scheduler === undefined ? {} : { scheduler }),
    }
  }
  return policies
}

const SHAPES =
  'expected a router { name, description, start(random) } or a scheduler { name, description, victim, rank(request) or start() }'

async function imported(path: string): Promise<Record<string, unknown>> {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) throw new CliFault(`cannot read ${path}: there is no such file`)
  if (!stats.isFile()) throw new CliFault(`cannot load ${path}: it is no regular file`)
  try {
    return (await import(pathToFileURL(resolve(path)).href)) as Record<string, unknown>
  } catch (error) {
    throw new CliFault(`cannot load ${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const hasName = (value: unknown): value is { readonly name: string } =>
  typeof value === 'object' && value !== null && typeof (value as { name?: unknown }).name === 'string'

const isRouter = (value: unknown): value is Router =>
  hasName(value) && typeof (value as { start?: unknown }).start === 'function' && !isScheduler(value)

const isScheduler = (value: unknown): value is Scheduler =>
  hasName(value) && ['lastAdmitted', 'worstRank'].includes(String((value as { victim?: unknown }).victim))

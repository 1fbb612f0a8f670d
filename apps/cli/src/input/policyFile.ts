import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Router, Scheduler } from '@windtunnel/orchestrator'
import type { OwnPolicies } from '@windtunnel/scenario/build/buildRun'
import { CliFault } from '../fault.ts'
import { checkedRouter, checkedScheduler } from './checkedPolicy.ts'

/** Which router or scheduler of the user's own, in which file. */
export interface NamedPolicy {
  readonly path: string
  readonly kind: 'router' | 'scheduler'
  readonly name: string
}

interface PolicyFile extends NamedPolicy {
  readonly policies: OwnPolicies
}

/**
 * Loads routers and schedulers of the user's own: files that export one each, as `default` or under any name. Throws a
 * CliFault that says what is missing, or which two are for one place.
 */
export async function loadPolicies(paths: readonly string[]): Promise<OwnPolicies> {
  const files = await policyFiles(paths)
  for (const kind of ['router', 'scheduler'] as const) {
    const [first, second] = files.filter((file) => file.kind === kind)
    if (second !== undefined)
      throw new CliFault(
        `--policy: ${kind} ${first!.name} (${first!.path}) and ${kind} ${second.name} (${second.path}) are for the same place; name one of them, or compare them with windtunnel compare`,
      )
  }
  return Object.assign({}, ...files.map(({ policies }) => policies)) as OwnPolicies
}

/** The very policies that are named, loaded anew. */
export async function policiesNamed(named: readonly NamedPolicy[]): Promise<OwnPolicies> {
  const files = await policyFiles([...new Set(named.map(({ path }) => path))])
  const wanted = files.filter((file) => named.some(({ kind, name }) => kind === file.kind && name === file.name))
  return Object.assign({}, ...wanted.map(({ policies }) => policies)) as OwnPolicies
}

/** Every policy of those files, in their order. */
export async function policyFiles(paths: readonly string[]): Promise<PolicyFile[]> {
  const files: PolicyFile[] = []
  for (const path of paths) {
    const found = [...new Set(Object.values(await imported(path)))].flatMap((value) => policyOf(path, value))
    if (found.length === 0) throw new CliFault(`${path} exports no policy: ${SHAPES}`)
    files.push(...found)
  }
  return files
}

function policyOf(path: string, value: unknown): PolicyFile[] {
  if (isRouter(value))
    return [{ path, kind: 'router', name: value.name, policies: { router: checkedRouter(path, value) } }]
  if (isScheduler(value))
    return [{ path, kind: 'scheduler', name: value.name, policies: { scheduler: checkedScheduler(path, value) } }]
  return []
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

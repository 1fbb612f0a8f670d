// The speed of the engine in a worker of a browser against that in Node, on the benchmark poisson-8b:
// npm run bench:browser -- [--requests 200000] [--runs 5] [--json]
import { cpus } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { RunSummary } from '@windtunnel/protocol'
import type { Browser, Page } from 'playwright-core'
import { preview } from 'vite'
import { startChromium } from '../../apps/web/test/browser/chromium.ts'
import { buildPage } from '../../apps/web/test/browser/server.ts'
import { cases } from '../cases/all.ts'
import { simulate } from '../simulate.ts'

interface Speed {
  requestsPerSecond: number
  factsHash: string
}

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

/** The address of the engine's worker, as the built page starts it. */
async function engineAddress(page: Page, host: string): Promise<string> {
  const started = page.waitForEvent('worker')
  await page.goto(`${host}#/live?preset=demo-chat&speed=1`)
  const worker = await started
  const address = worker.url()
  await page.goto('about:blank')
  return address
}

/** Runs in the page: one run of a scenario in a worker of its own. */
const runInWorker = ([address, scenario]: readonly [string, string]): Promise<RunSummary> =>
  new Promise((resolve, reject) => {
    const worker = new Worker(address, { type: 'module' })
    worker.onmessage = ({ data: news }) => {
      if (news.kind === 'finished') resolve(news.outcome.summary)
      else reject(new Error(news.reason ?? `unexpected: ${news.kind}`))
      worker.terminate()
    }
    worker.onerror = (event) => reject(new Error(event.message))
    worker.postMessage({ kind: 'run', wish: { scenario } })
  })

async function inBrowser(browser: Browser, host: string, address: string, scenario: unknown): Promise<Speed> {
  const page = await browser.newPage()
  await page.goto(host)
  const summary = await page.evaluate(runInWorker, [address, JSON.stringify(scenario)] as const)
  await page.close()
  const { requests, simulatorSeconds, factsHash } = summary
  return { requestsPerSecond: requests.completed / simulatorSeconds, factsHash }
}

function inNode(scenario: unknown): Speed {
  const { requests, simulatorSeconds, factsHash } = simulate(scenario, 'poisson-8b')
  return { requestsPerSecond: requests / simulatorSeconds, factsHash }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const whole = (value: number): string => Math.round(value).toLocaleString('en')

const requests = option('requests', 200_000)
const runs = option('runs', 5)
const bench = cases.find(({ name }) => name === 'poisson-8b')!
const scenario = { ...bench.scenario, run: { maxRequests: requests } }
await buildPage()
const server = await preview({
  root: fileURLToPath(new URL('../../apps/web/', import.meta.url)),
  preview: { port: 0, host: '127.0.0.1' },
  logLevel: 'error',
})
const host = server.resolvedUrls?.local[0] ?? ''
const browser = await startChromium()
try {
  const address = await engineAddress(await browser.newPage(), host)
  const pairs: { node: Speed; chromium: Speed }[] = []
  // One after the other, so that other work on the machine disturbs both alike.
  for (let index = 0; index < runs; index += 1)
    pairs.push({ node: inNode(scenario), chromium: await inBrowser(browser, host, address, scenario) })
  const hashes = new Set(pairs.flatMap(({ node, chromium }) => [node.factsHash, chromium.factsHash]))
  if (hashes.size !== 1) throw new Error(`Node and Chromium do not agree on the facts: ${[...hashes].join(', ')}`)
  const node = median(pairs.map((pair) => pair.node.requestsPerSecond))
  const chromium = median(pairs.map((pair) => pair.chromium.requestsPerSecond))
  const ratio = median(pairs.map((pair) => pair.chromium.requestsPerSecond / pair.node.requestsPerSecond))
  const found = { name: 'browser', requests, node, chromium, ratio, factsHash: [...hashes][0] }
  process.stdout.write(
    process.argv.includes('--json')
      ? `${JSON.stringify({ ...found, versions: { node: process.version, chromium: browser.version() } })}\n`
      : `${whole(requests)} requests of poisson-8b, medians of ${runs}, ${cpus()[0]?.model ?? 'unknown processor'}
Node ${process.version.slice(1)}               ${whole(node)} requests/s
worker in Chromium ${browser.version()}  ${whole(chromium)} requests/s
ratio ${ratio.toFixed(2)} (${pairs.map((pair) => (pair.chromium.requestsPerSecond / pair.node.requestsPerSecond).toFixed(2)).join(', ')}); facts hash ${found.factsHash} in both
`,
  )
  if (ratio < 0.5) process.exitCode = 1
} finally {
  await browser.close()
  await server.close()
}

// Takes the pictures of docs/images from a running server, of all views or of those named:
// node --conditions=@windtunnel/source apps/web/test/browser/pictures.ts [live] [explore] ...
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { buildPage, startServer } from './server.ts'

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Lets a fleet run, raises its load, and waits until the consequences show. */
const stage = async (page: Page): Promise<void> => {
  await page.getByText('arriving now').waitFor()
  await page.waitForTimeout(7000)
  const double = page.getByRole('button', { name: 'Double the arrival rate' })
  await double.click()
  await page.waitForTimeout(8000)
  await page.getByRole('button', { name: 'Kill the busiest chat replica' }).click()
  await page.waitForTimeout(7000)
  await double.click()
  await page.mouse.click(700, 20)
  await page.waitForTimeout(4000)
}

/** Lets two kinds of traffic share a fleet, and makes the heavy one more of it. */
const mix = async (page: Page, url: string): Promise<void> => {
  await page.goto(`${url}#/live?preset=chat-and-batch&speed=10`)
  await page.getByText('arriving now').waitFor()
  await page.waitForTimeout(8000)
  await page.getByLabel('batch', { exact: true }).fill('35')
  await page.waitForTimeout(9000)
  await page.getByLabel('Prompts').fill('2')
  await page.mouse.click(700, 20)
  await page.waitForTimeout(7000)
}

const shoot = async (page: Page, name: string): Promise<void> => {
  for (const [size, viewport] of Object.entries(sizes))
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport)
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(300)
      await page.screenshot({ path: `${folder}${name}${size === 'wide' ? '' : '-phone'}-${colorScheme}.png` })
    }
  await page.setViewportSize(sizes.wide)
}

/** A trace of an hour with a quiet start and a busy middle, for the picture of the trace view. */
const traceRows = (): string => {
  const rows = ['TIMESTAMP,ContextTokens,GeneratedTokens']
  let seconds = 0
  for (let index = 0; seconds < 3600; index += 1) {
    const busy = 1 + 3 * Math.exp(-(((seconds - 1900) / 600) ** 2))
    seconds += ((index * 7919) % 97) / 48 / busy
    const time = new Date(Date.UTC(2024, 4, 10, 9) + seconds * 1000)
      .toISOString()
      .replace('T', ' ')
      .replace('Z', '0000')
    rows.push(
      `${time},${Math.round(40 * 600 ** ((((index * 0.618) % 1) + ((index * 0.414) % 1)) / 2))},${Math.round(10 * 60 ** ((((index * 0.732) % 1) + ((index * 0.236) % 1)) / 2))}`,
    )
  }
  return rows.join('\n')
}

/** What a view is asked before its picture is taken. */
const askings: Record<string, (page: Page) => Promise<void>> = {
  compare: async (page) => {
    await page.getByLabel('Scenario', { exact: true }).selectOption('demo-chat')
    await page.getByLabel('Simulated time').selectOption('300')
    await page.getByLabel('Name of variant 2').fill('three replicas')
    await page.getByLabel('Changes of variant 2, one path=value a line').fill('fleet[0].replicas=3')
    await page.getByRole('button', { name: /^Run \d/ }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached', timeout: 120_000 })
  },
  runs: async (page) => {
    await page.getByLabel('Start another run on the server').selectOption('overload')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.locator('.fleet-panel', { hasText: 'l40s' }).waitFor()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor({ timeout: 60_000 })
    await page.getByRole('link', { name: 'Runs' }).click()
    await page.getByLabel('Kept runs').waitFor()
  },
  traces: async (page) => {
    const buffer = Buffer.from(traceRows())
    await page.getByLabel('Trace file').setInputFiles({ name: 'morning.csv', mimeType: 'text/csv', buffer })
    await page.getByLabel('What the trace holds').waitFor()
  },
}

const named = process.argv.slice(2)
const wanted = (view: string): boolean => named.length === 0 || named.includes(view)
const views = ['scenario', 'compare', 'explore', 'calculators?calc=tpStepTime', 'traces', 'runs']
await mkdir(folder, { recursive: true })
await buildPage()
const browser: Browser = await startChromium()
const server = await startServer(0, 'demo-chat')
try {
  const page = await browser.newPage({ viewport: sizes.wide })
  await page.goto(server.url)
  if (wanted('live')) {
    await stage(page)
    await shoot(page, 'live')
  }
  if (wanted('mix')) {
    await mix(page, server.url)
    await shoot(page, 'mix')
  }
  for (const view of views) {
    const name = view.replace(/\?.*/, '')
    if (!wanted(name)) continue
    await page.goto(`${server.url}#/${view}`)
    await page.waitForTimeout(1500)
    await askings[name]?.(page)
    await page.waitForTimeout(300)
    await shoot(page, name)
  }
} finally {
  await browser.close()
  await server.stop()
}

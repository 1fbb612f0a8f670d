// Takes the pictures of docs/images from a running server: node --conditions=@windtunnel/source apps/web/test/browser/pictures.ts
import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { buildPage, startServer } from './server.ts'

const folder = fileURLToPath(new URL('../../../../docs/images/', import.meta.url))
const sizes = { wide: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const

/** Lets a fleet run, doubles its load, and waits until the consequences show. */
const stage = async (page: Page): Promise<void> => {
  await page.getByText('arriving now').waitFor()
  await page.getByRole('button', { name: '10×', exact: true }).click()
  await page.waitForTimeout(9000)
  await page.getByRole('button', { name: 'Double the arrival rate' }).click()
  await page.waitForTimeout(11_000)
}

const views: Record<string, string> = {
  explore: '#/explore',
  runs: '#/runs',
  calculators: '#/calculators',
  scenario: '#/scenario',
}

const shoot = async (
  browser: Browser,
  url: string,
  name: string,
  colorScheme: 'light' | 'dark',
  size: keyof typeof sizes,
): Promise<void> => {
  const page = await browser.newPage({ viewport: sizes[size], colorScheme })
  await page.goto(url)
  await page.waitForTimeout(2000)
  await page.screenshot({ path: `${folder}${name}${size === 'wide' ? '' : '-phone'}-${colorScheme}.png` })
  await page.close()
}

await mkdir(folder, { recursive: true })
await buildPage()
const browser = await startChromium()
const server = await startServer()
const first = await browser.newPage({ viewport: sizes.wide })
await first.goto(server.url)
await stage(first)
for (const theme of ['light', 'dark'] as const)
  for (const size of ['wide', 'phone'] as const) {
    await shoot(browser, server.url, 'live', theme, size)
    for (const [name, view] of Object.entries(views)) await shoot(browser, `${server.url}${view}`, name, theme, size)
  }
await browser.close()
await server.stop()

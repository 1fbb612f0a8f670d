// Takes the pictures of docs/images from a running server: node --conditions=@windtunnel/source apps/web/test/browser/pictures.ts
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
  await page.waitForTimeout(9000)
  await page.getByRole('button', { name: 'Double the arrival rate' }).click()
  await page.waitForTimeout(9000)
  await page.getByRole('button', { name: 'Kill the busiest answers replica' }).click()
  await page.mouse.click(700, 20)
  await page.waitForTimeout(4000)
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

const views = process.argv.slice(2)
await mkdir(folder, { recursive: true })
await buildPage()
const browser: Browser = await startChromium()
const server = await startServer(0, 'disaggregated-70b')
const page = await browser.newPage({ viewport: sizes.wide })
await page.goto(server.url)
await stage(page)
await shoot(page, 'live')
for (const view of views.length > 0 ? views : ['explore', 'runs']) {
  await page.goto(`${server.url}#/${view}`)
  await page.waitForTimeout(1500)
  await shoot(page, view)
}
await browser.close()
await server.stop()

import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'

const path = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** A headless Chromium. Throws an Error that says how to get one when there is none. */
export const startChromium = (): Promise<Browser> => {
  if (!existsSync(path))
    throw new Error(`No Chromium at ${path}: install it (Debian: apt-get install chromium), or name one in CHROMIUM.`)
  return chromium.launch({
    executablePath: path,
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A page of 1440 by 900 that collects what goes wrong in it. */
export const openPage = async (browser: Browser, address: string): Promise<{ page: Page; faults: string[] }> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().includes('WebSocket'))
      faults.push(`${message.text()} (${message.location().url})`)
  })
  await page.goto(address)
  return { page, faults }
}

import { parseScenarioText } from '@windtunnel/scenario/document/parse'
import { presetText } from '@windtunnel/scenario/presets/index'
import type { Browser } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runToEnd } from '../src/engine/runToEnd.ts'
import { packText } from '../src/engine/shareLink.ts'
import { openPage, startChromium } from './browser/chromium.ts'
import { buildPage } from './browser/server.ts'

let browser: Browser
let host: PreviewServer
let address: string

beforeAll(async () => {
  await buildPage('warning')
  browser = await startChromium()
  // Nothing but static files: no Windtunnel server is running.
  host = await preview({
    root: new URL('../', import.meta.url).pathname,
    preview: { port: 0, host: '127.0.0.1' },
    logLevel: 'error',
  })
  address = host.resolvedUrls?.local[0] ?? ''
})

afterAll(async () => {
  await browser?.close()
  await host?.close()
})

const shortened = (name: string, seconds: number): string =>
  (presetText(name) ?? '').replace(/durationSeconds: \d+/, `durationSeconds: ${seconds}`)

const hashShown = async (link: string): Promise<string> => {
  const { page, faults } = await openPage(browser, link)
  await page.locator('.verdict', { hasText: 'Ended' }).waitFor({ timeout: 50_000 })
  const hash = await page.locator('.verdict code').innerText()
  expect(faults).toEqual([])
  await page.close()
  return hash
}

describe('the engine in the page, without a server', () => {
  for (const [name, seconds] of [
    ['demo-chat', 300],
    ['disaggregated-70b', 60],
    ['overload', 300],
  ] as const)
    it(`plays ${name} by link to the facts hash that Node finds`, async () => {
      const text = shortened(name, seconds)
      const { summary } = await runToEnd({ scenario: text, seed: 5 })
      const scenario = await packText(text)
      expect(await hashShown(`${address}#/live?scenario=${scenario}&seed=5&speed=max`)).toBe(summary.factsHash)
    })

  it('steers the mix of a run in the page, and a link to it plays it again to the same facts', async () => {
    const text = shortened('chat-and-batch', 400)
    const { page, faults } = await openPage(
      browser,
      `${address}#/live?scenario=${await packText(text)}&seed=9&speed=100`,
    )
    const chat = page.getByLabel('chat', { exact: true })
    const batch = page.getByLabel('batch', { exact: true })
    await page.getByText('arriving now').waitFor()
    expect([await chat.inputValue(), await batch.inputValue()]).toEqual(['90', '10'])
    await batch.fill('40')
    await page.locator('.log').getByText('mix chat 60 %, batch 40 %').waitFor()
    expect(await chat.inputValue()).toBe('60')
    await page.getByLabel('Prompts').fill('4')
    await page.locator('.log').getByText('mix prompts x2').waitFor()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor()
    const hash = await page.locator('.verdict code').innerText()
    await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }))
    await page.getByRole('button', { name: 'Copy a link to this run' }).first().click()
    const link = await page.getByLabel('The link, to be copied').inputValue()
    const other = await openPage(browser, link.replace('speed=10', 'speed=max'))
    await other.page.locator('.verdict', { hasText: 'as the link says' }).waitFor({ timeout: 50_000 })
    expect(await other.page.locator('.verdict code').innerText()).toBe(hash)
    const { summary } = await runToEnd({ scenario: text, seed: 9 })
    expect(summary.factsHash).not.toBe(hash)
    // A link that was cut off says so.
    const broken = await openPage(browser, link.replace(/log=[^&]+/, 'log=7Zn'))
    await broken.page.getByRole('alert').waitFor()
    expect(await broken.page.getByRole('alert').innerText()).toMatch(/commands in this address.*cut off/)
    expect([...faults, ...other.faults, ...broken.faults]).toEqual([])
    for (const one of [page, other.page, broken.page]) await one.close()
  })

  it('gives another hash for another seed', async () => {
    const text = shortened('demo-chat', 60)
    const [five, six] = await Promise.all([5, 6].map((seed) => runToEnd({ scenario: text, seed })))
    expect(five?.summary.factsHash).not.toBe(six?.summary.factsHash)
  })

  it('shows each service class by itself', async () => {
    const demo = parseScenarioText(shortened('demo-chat', 600)).value as Record<string, object>
    const text = JSON.stringify({
      ...demo,
      objectives: { ...demo['objectives'], bulk: { ttftSeconds: 30 } },
      traffic: { streams: ['default', 'bulk'].map((serviceClass) => ({ ...demo['traffic'], serviceClass })) },
    })
    const { page, faults } = await openPage(browser, `${address}#/live?scenario=${await packText(text)}&speed=10`)
    const classes = page.getByLabel('Service classes')
    await classes.getByRole('row', { name: /^bulk/ }).waitFor()
    expect(await page.getByLabel('Objectives').innerText()).toMatch(/bulk: TTFT ≤ 30 s/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('draws a large fleet on a canvas, of which a replica is chosen by its number', async () => {
    const text = shortened('demo-chat', 600)
      .replace('replicas: 4', 'replicas: 150')
      .replace('requestsPerSecond: 8', 'requestsPerSecond: 300')
    const { page, faults } = await openPage(browser, `${address}#/live?scenario=${await packText(text)}&speed=1`)
    await page.getByRole('img', { name: /^150 of 150 replicas up/ }).waitFor()
    expect(await page.locator('.tile').count()).toBe(0)
    await page.getByLabel('Replica', { exact: true }).fill('149')
    const card = page.locator('.replica-card')
    await card.getByText('chat-150').waitFor()
    await card.getByRole('button', { name: 'Kill' }).click()
    await page.getByRole('img', { name: /^149 of 150 replicas up/ }).waitFor()
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what is wrong with a scenario that cannot run', async () => {
    const scenario = await packText('version: 1\nmodel: llama-3.1-8c\nfleet: []\n')
    const { page } = await openPage(browser, `${address}#/live?scenario=${scenario}`)
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/model|fleet/)
    await page.close()
  })

  it('offers to run in the page when no server answers', async () => {
    const { page } = await openPage(browser, address)
    await page.getByRole('link', { name: 'run the demo in this page' }).click()
    await page.getByText('arriving now').waitFor()
    await page.locator('.wf-row').first().waitFor({ timeout: 30_000 })
    await page.close()
  })
})

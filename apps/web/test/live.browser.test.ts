import { gzipSync } from 'node:zlib'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage, startChromium } from './browser/chromium.ts'
import { buildPage, type StartedServer, startServer } from './browser/server.ts'

let browser: Browser
let server: StartedServer

beforeAll(async () => {
  await buildPage()
  browser = await startChromium()
  server = await startServer()
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

const numberIn = (text: string): number => Number(/[\d,.]+/.exec(text)?.[0].replaceAll(',', '') ?? Number.NaN)
const arriving = async (page: Page): Promise<number> => numberIn(await page.getByText('arriving now').innerText())
const virtualTime = async (page: Page): Promise<string> => page.locator('.clock time').innerText()

const until = async (what: string, holds: () => Promise<boolean>, seconds = 30): Promise<void> => {
  const end = performance.now() + seconds * 1000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not so after ${seconds} s`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

describe('the live view on a running server', () => {
  it('is small: less than 200 kB, packed, before the engine is asked for', async () => {
    const { page } = await openPage(browser, server.url)
    await page.getByText('arriving now').waitFor()
    const sent = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
    const own = sent.filter((name) => /\.(js|css)$/.test(name))
    const texts = await Promise.all(own.map(async (name) => Buffer.from(await (await fetch(name)).arrayBuffer())))
    const bytes = texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
    expect(own.length).toBeGreaterThanOrEqual(2)
    expect(bytes).toBeLessThan(200_000)
    await page.close()
  })

  it('shows numbers and charts that move, and nothing goes wrong in the page', async () => {
    const { page, faults } = await openPage(browser, server.url)
    await page.getByText('arriving now').waitFor()
    const before = await virtualTime(page)
    await until('time goes on', async () => (await virtualTime(page)) > before)
    await until('requests complete', async () => numberIn(await page.locator('.totals dd').nth(1).innerText()) > 10)
    expect(await page.locator('.canvas canvas').count()).toBeGreaterThanOrEqual(6)
    expect(await page.locator('.tile').count()).toBeGreaterThanOrEqual(2)
    expect(numberIn(await page.locator('.kpi', { hasText: 'Output' }).locator('.v').innerText())).toBeGreaterThan(0)
    await until('requests are sampled', async () => (await page.locator('.wf-row').count()) > 3)
    expect(faults).toEqual([])
    await page.close()
  })

  it('does not move its parts about while numbers change', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('.wf-row').nth(8).waitFor()
    const shift = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          let sum = 0
          const observer = new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) sum += (entry as PerformanceEntry & { value: number }).value
          })
          observer.observe({ type: 'layout-shift' })
          setTimeout(() => resolve(sum), 3000)
        }),
    )
    expect(shift).toBeLessThan(0.01)
    await page.close()
  })

  it('doubles the load when asked, marks it, and the fleet gets more requests', async () => {
    const { page } = await openPage(browser, server.url)
    await until('there is traffic', async () => (await arriving(page)) > 1)
    await page.getByRole('button', { name: '100×' }).click()
    const rate = numberIn(await page.locator('output[for=rate]').innerText())
    await page.waitForTimeout(3000)
    const before = await arriving(page)
    await page.getByRole('button', { name: 'Double the arrival rate' }).click()
    await until(
      'the rate is doubled',
      async () => numberIn(await page.locator('output[for=rate]').innerText()) === 2 * rate,
    )
    await until('more arrive', async () => (await arriving(page)) > 1.4 * before)
    await page
      .locator('.log')
      .getByText(/rate .* to /)
      .first()
      .waitFor()
    // The answer to what that did stands in the first line of the page.
    await page.locator('.since', { hasText: /^Since rate .* → .*TTFT p99/ }).waitFor()
    await page.getByRole('button', { name: 'Halve the arrival rate' }).click()
    await page.getByRole('button', { name: '10×', exact: true }).click()
    await page.close()
  })

  it('pauses, steps and plays by keyboard', async () => {
    const { page } = await openPage(browser, server.url)
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Play' }).waitFor()
    await page.locator('.verdict', { hasText: 'Paused' }).waitFor()
    const held = await virtualTime(page)
    await page.waitForTimeout(500)
    expect(await virtualTime(page)).toBe(held)
    for (let step = 0; step < 40; step += 1) await page.keyboard.press('.')
    await until('steps move time', async () => (await virtualTime(page)) > held)
    await page.keyboard.press('Space')
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await page.close()
  })

  it('adds and kills replicas and changes the router', async () => {
    const { page } = await openPage(browser, server.url)
    await page.getByText('arriving now').waitFor()
    const up = page.locator('.pool-row output').first()
    const before = numberIn(await up.innerText())
    await page
      .getByRole('button', { name: /^Kill the busiest/ })
      .first()
      .click()
    await until('one is down', async () => numberIn(await up.innerText()) === before - 1)
    await page.locator('.tile.down').first().waitFor()
    await page
      .getByRole('button', { name: /^Add one/ })
      .first()
      .click()
    await until('one starts or is up', async () => (await page.locator('.tile').count()) > before)
    const router = page.getByLabel('Router')
    const other = await router.evaluate(
      (select: HTMLSelectElement) => [...select.options].find((option) => option.value !== select.value)?.value ?? '',
    )
    await router.selectOption(other)
    await page
      .locator('.log')
      .getByText(/router/)
      .first()
      .waitFor()
    await page.close()
  })

  it('tells the story of a request', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('.wf-row').nth(3).click()
    const story = page.getByRole('dialog')
    await story.waitFor()
    expect(await story.innerText()).toMatch(/Arrived at .* with [\d,]+ prompt tokens/)
    await page.keyboard.press('Escape')
    await story.waitFor({ state: 'detached' })
    await page.close()
  })

  it('starts another run, finds it among the kept ones, and opens it again', async () => {
    const { page, faults } = await openPage(browser, `${server.url}#/runs`)
    await page.getByLabel('Start another run on the server').selectOption('overload')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.locator('.fleet-panel', { hasText: 'l40s' }).waitFor()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor()
    const hash = await page.locator('.verdict code').innerText()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page
      .getByRole('link', { name: /overload/ })
      .first()
      .click()
    await page.getByRole('link', { name: 'All runs' }).waitFor()
    await page.getByText(hash).waitFor()
    await page.locator('.figure path').first().waitFor({ state: 'attached' })
    expect(await page.locator('.figure path').count()).toBeGreaterThanOrEqual(6)
    // Opened again it is played from its start, and ends with the same facts.
    await page.getByRole('button', { name: 'Open in the live view' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor({ state: 'detached' })
    await page.getByText('arriving now').waitFor()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor()
    expect(await page.locator('.verdict code').innerText()).toBe(hash)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says that a run is closed when someone closes it, and offers no more to steer it', async () => {
    const wish = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"preset":"overload"}' }
    const { run } = (await (await fetch(`${server.url}api/runs`, wish)).json()) as { run: string }
    const { page } = await openPage(browser, `${server.url}#/live?run=${run}`)
    await page.locator('.fleet-panel', { hasText: 'l40s' }).waitFor()
    await fetch(`${server.url}api/runs/${run}`, { method: 'DELETE' })
    await page.locator('.verdict', { hasText: 'Run closed' }).waitFor()
    expect(await page.getByRole('button', { name: 'Start over' }).isDisabled()).toBe(true)
    await page.locator('.verdict').getByRole('link', { name: 'Runs' }).click()
    await page.getByText('Start another run on the server').waitFor()
    await page.close()
  })

  it('plays a kept run again in the page with its commands, to the same facts', async () => {
    const { page, faults } = await openPage(browser, `${server.url}#/runs`)
    await page.getByLabel('Start another run on the server').selectOption('chat-and-batch')
    await page.getByRole('button', { name: 'Start', exact: true }).click()
    await page.locator('.tile', { hasText: 'shared-2' }).waitFor()
    await page.getByRole('button', { name: '100×' }).click()
    await page.waitForTimeout(500)
    await page.getByLabel('batch', { exact: true }).fill('30')
    await page.locator('.log').getByText('mix chat 70 %, batch 30 %').waitFor()
    await page.getByRole('button', { name: 'Double the arrival rate' }).click()
    await page.getByLabel('Outputs').fill('-4')
    await page.locator('.log').getByText('mix outputs x0.5').waitFor()
    await page.getByRole('button', { name: 'Kill the busiest shared replica' }).click()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'Ended' }).waitFor()
    const hash = await page.locator('.verdict code').innerText()
    await page.getByRole('link', { name: 'Runs' }).click()
    await page
      .getByRole('link', { name: /chat-and-batch/ })
      .first()
      .click()
    await page.getByText(hash).waitFor()
    await page.getByRole('button', { name: 'Play it in this page' }).click()
    await page.getByText('arriving now').waitFor()
    await page.getByRole('button', { name: 'max' }).click()
    await page.locator('.verdict', { hasText: 'as the link says' }).waitFor()
    expect(await page.locator('.verdict code').innerText()).toBe(hash)
    expect(await page.locator('.log .log').count()).toBe(4)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says so when the server is gone, keeps the last figures, and resumes when it is back', async () => {
    const own = await startServer()
    const { page } = await openPage(browser, own.url)
    await until('there is traffic', async () => (await arriving(page)) > 1)
    await own.stop()
    await page.locator('.verdict', { hasText: 'Disconnected' }).waitFor()
    expect(numberIn(await page.locator('.kpi .v').first().innerText())).toBeGreaterThan(0)
    const again = await startServer(own.port)
    await page.locator('.verdict', { hasText: 'Disconnected' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Pause' }).waitFor()
    await again.stop()
    await page.close()
  })
})

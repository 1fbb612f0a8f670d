import type { Browser } from 'playwright-core'
import { type PreviewServer, preview } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seriousViolations } from './browser/accessible.ts'
import { openPage, startChromium } from './browser/chromium.ts'
import { buildPage } from './browser/server.ts'

let browser: Browser
let host: PreviewServer
let address: string

beforeAll(async () => {
  await buildPage('warning')
  browser = await startChromium()
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

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  const end = performance.now() + 10_000
  while (!(await holds())) {
    if (performance.now() > end) throw new Error('not so after 10 s')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

describe('the views that need no server', () => {
  it('explores a deployment and keeps the question in the address', async () => {
    const { page, faults } = await openPage(browser, `${address}#/explore?model=llama-3.1-8b&tp=1`)
    await page.getByText(/A token takes/).waitFor()
    const before = await page.locator('.verdict').innerText()
    await page.getByLabel('Context, tokens').selectOption('32768')
    await page.getByLabel('Tensor parallel').selectOption('2')
    expect(page.url()).toMatch(/context=32768/)
    expect(page.url()).toMatch(/tp=2/)
    expect(await page.locator('.verdict').innerText()).not.toBe(before)
    expect(await page.locator('.figure svg').count()).toBeGreaterThanOrEqual(4)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says why a model does not fit and what would', async () => {
    const { page } = await openPage(browser, `${address}#/explore?model=llama-3.1-70b&tp=1`)
    await page.locator('.verdict', { hasText: 'Does not fit' }).waitFor()
    expect(await page.locator('.verdict').innerText()).toMatch(/smallest layout that would: tp 2/)
    await page.close()
  })

  it('compares variants on the same traffic, with intervals over seeds', async () => {
    const { page, faults } = await openPage(browser, `${address}#/compare`)
    await page.getByLabel('Simulated time').selectOption('60')
    await page.getByLabel('Changes of variant 2, one path=value a line').fill('fleet[0].replicas=8')
    await page.getByRole('button', { name: 'Run 6 simulations' }).click()
    await page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'detached' })
    const row = page.getByRole('row', { name: /^TPOT p99/ })
    expect(await row.innerText()).toMatch(/±/)
    expect(await row.innerText()).toMatch(/better/)
    expect(await page.locator('.figure path').count()).toBeGreaterThanOrEqual(12)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says at a variant what is wrong with its changes', async () => {
    const { page } = await openPage(browser, `${address}#/compare`)
    await page.getByLabel('Simulated time').selectOption('60')
    await page.getByLabel('Changes of variant 2, one path=value a line').fill('router=nearest-pub')
    await page.getByRole('button', { name: 'Run 6 simulations' }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/router=nearest-pub:[\s\S]*router/)
    await page.close()
  })

  it('checks a scenario as it is written, by line, and plays it', async () => {
    const { page, faults } = await openPage(browser, `${address}#/scenario`)
    await page.getByText('Ready to run').waitFor()
    const editor = page.getByLabel('Scenario, YAML or JSON')
    const good = await editor.inputValue()
    await editor.fill(good.replace('replicas: 2', 'replicas: two'))
    await page.getByText('One thing to mend').waitFor()
    expect(await page.locator('.faults').innerText()).toMatch(/line \d+/)
    await editor.fill(good)
    await page.getByRole('button', { name: 'Play in this page' }).click()
    await page.getByText('arriving now').waitFor()
    expect(page.url()).toMatch(/#\/live\?scenario=/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('stays as wide as the window with names of thousands of letters, and shows them as they are written', async () => {
    const { page, faults } = await openPage(browser, `${address}#/scenario`)
    const editor = page.getByLabel('Scenario, YAML or JSON')
    const long = (start: string): string => `'<b>${start.repeat(3000)}'`
    const text = (await editor.inputValue())
      .replace('my-scenario', long('n'))
      .replace('name: default', `name: ${long('p')}`)
    await editor.fill(text)
    const tooWide = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    await page.getByLabel('Check', { exact: true }).getByText('<b>pppp').waitFor()
    expect(await tooWide()).toBeLessThanOrEqual(0)
    await page.getByRole('button', { name: 'Play in this page' }).click()
    await page.getByText('arriving now').waitFor()
    await page.locator('.tile', { hasText: '<b>pppp' }).first().click()
    expect(await tooWide()).toBeLessThanOrEqual(0)
    expect(faults).toEqual([])
    await page.close()
  })

  it('computes while inputs are typed, shows a problem at its input, and keeps the inputs in the address', async () => {
    const { page, faults } = await openPage(browser, `${address}#/calculators`)
    await page.locator('.calculator-list a').first().waitFor()
    const all = await page.locator('.calculator-list a').count()
    expect(all).toBeGreaterThanOrEqual(70)
    await page.getByLabel('Search the calculators').fill('ring all-reduce')
    await until(async () => (await page.locator('.calculator-list a').count()) < all)
    await page.goto(`${address}#/calculators?calc=ringAllreduce&n=4&bytes=1000000&alpha=0&bandwidth=1000000000`)
    // 2 (n - 1) / n of the bytes over the link: 1.5 ms.
    await page.getByLabel('Results').getByText('1.50 ms').first().waitFor()
    await page.getByLabel(/^n( |$)/).fill('0')
    await page.locator('.inputs .refusal').waitFor()
    await page.getByLabel(/^n( |$)/).fill('2')
    await page.getByLabel('Results').getByText('1.00 ms').first().waitFor()
    expect(page.url()).toMatch(/n=2/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('says what a dropped trace holds', async () => {
    const { page, faults } = await openPage(browser, `${address}#/traces`)
    // One request every two seconds, 100 of them: 198 s, 0.5 a second, gaps all equal.
    const rows = Array.from({ length: 100 }, (_, index) => {
      const minutes = String(Math.floor((index * 2) / 60)).padStart(2, '0')
      const seconds = String((index * 2) % 60).padStart(2, '0')
      return `2023-11-16 18:${minutes}:${seconds}.0000000,${100 + index},10`
    })
    const buffer = Buffer.from(['TIMESTAMP,ContextTokens,GeneratedTokens', ...rows].join('\n'))
    await page.getByLabel('Trace file').setInputFiles({ name: 'trace.csv', mimeType: 'text/csv', buffer })
    const told = page.getByLabel('What the trace holds')
    await told.waitFor()
    expect(await told.innerText()).toMatch(/Requests\s+100[\s\S]*0\.500 req\/s[\s\S]*1,000/)
    expect(await page.locator('.figure svg').count()).toBe(2)
    const dropped = page.url()
    await page.getByRole('button', { name: 'Play as live traffic' }).click()
    await page.locator('.verdict', { hasText: 'Meeting objectives' }).waitFor()
    await until(async () => Number(await page.locator('.totals dd').first().innerText()) > 5)
    // The address of a played trace cannot hold the trace: another page is told so.
    const other = await openPage(browser, page.url())
    await other.page.getByRole('alert').waitFor()
    expect(await other.page.getByRole('alert').innerText()).toMatch(/trace\.csv.*drop it again/)
    await other.page.close()
    await page.goto(dropped)
    await page
      .getByLabel('Trace file')
      .setInputFiles({ name: 'poem.txt', mimeType: 'text/plain', buffer: Buffer.from('Shall I compare thee\n') })
    await page.getByRole('alert').waitFor()
    expect(await page.getByRole('alert').innerText()).toMatch(/poem\.txt/)
    expect(faults).toEqual([])
    await page.close()
  })

  it('draws a picture of a calculator and fills its form from a preset', async () => {
    const { page, faults } = await openPage(browser, `${address}#/calculators?calc=deploymentPlanner`)
    await page.getByRole('heading', { name: 'Cost over deadline' }).waitFor()
    await page.getByLabel('Begin with a preset').selectOption('bench-100ms')
    await until(async () => (await page.getByLabel(/^deadline/).inputValue()) === '0.1')
    expect(page.url()).toMatch(/preset=bench-100ms/)
    await page.getByLabel(/^deadline/).fill('0.12')
    await until(async () => /deadline=0.12/.test(page.url()))
    await page.getByRole('columnheader', { name: 'memoryPerCard' }).first().waitFor()
    for (const [name, heading] of [
      ['ringAllreduce', 'Ring against tree'],
      ['tpStepTime', 'A step over tensor parallelism'],
      ['tpCardMemory', 'Memory of one card'],
      ['expectedActiveExperts', 'Active experts over batch'],
      ['causalLoad', 'Causal load by rank'],
      ['pipeline', 'Pipeline over time'],
      ['torus', 'Torus and switch traffic'],
    ] as const) {
      await page.goto(`${address}#/calculators?calc=${name}`)
      await page.getByRole('heading', { name: heading }).last().waitFor()
    }
    expect(faults).toEqual([])
    await page.close()
  })

  for (const view of ['live', 'scenario', 'compare', 'explore', 'calculators', 'traces', 'runs'])
    it(`names every control of the ${view} view, and fits narrow and wide screens`, async () => {
      const { page } = await openPage(browser, `${address}#/${view}?preset=demo-chat&speed=10`)
      await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
      if (view === 'live') await page.getByText('arriving now').waitFor()
      for (const width of [390, 1440, 2200]) {
        await page.setViewportSize({ width, height: 844 })
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0)
      }
      const controls = page.getByRole('main').locator('button, a, input, select, textarea')
      const unnamed = await controls.evaluateAll((found) =>
        found
          .filter((control) => {
            const labels = (control as HTMLInputElement).labels?.length ?? 0
            const words = control.matches('button, a') ? (control.textContent ?? '').trim() : ''
            return control.getAttribute('aria-label') === null && labels === 0 && words === ''
          })
          .map((control) => control.outerHTML),
      )
      expect(unnamed).toEqual([])
      await page.close()
    })

  for (const colorScheme of ['light', 'dark'] as const)
    it(`gives axe-core nothing serious to say of any view, ${colorScheme}`, async () => {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme })
      for (const view of [
        'live?preset=chat-and-batch&speed=100',
        'live?preset=disaggregated-70b&speed=100',
        'scenario',
        'compare',
        'explore',
        'calculators?calc=deploymentPlanner',
        'traces',
        'runs',
      ]) {
        await page.goto(`${address}#/${view}`)
        await page.getByRole('heading', { level: 1 }).waitFor({ state: 'attached' })
        if (view.startsWith('live')) await page.locator('.wf-row').nth(3).waitFor()
        expect(await seriousViolations(page), view).toEqual([])
      }
      await page.close()
    })

  it('goes round by keyboard alone: every stop is visible, and none is a trap', async () => {
    const { page } = await openPage(browser, `${address}#/live?preset=demo-chat&speed=10`)
    await page.locator('.wf-row').nth(8).waitFor()
    await page.locator('.brand').focus()
    const stops: string[] = []
    for (let at = 0; at < 60; at += 1) {
      const stop = await page.evaluate(() => {
        const element = document.activeElement
        if (!(element instanceof HTMLElement) || element === document.body) return undefined
        const { outlineStyle, outlineWidth } = getComputedStyle(element)
        const { width, height } = element.getBoundingClientRect()
        const words = element.getAttribute('aria-label') ?? element.id
        const seen = outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 && width > 0 && height > 0
        return `${words === '' ? element.textContent?.slice(0, 40) : words}${seen ? '' : ' UNSEEN'}`
      })
      if (stop === undefined || (stop === stops[0] && at > 0)) break
      stops.push(stop)
      await page.keyboard.press('Tab')
    }
    expect(stops.filter((stop) => stop.endsWith('UNSEEN'))).toEqual([])
    for (const wanted of ['Explore', 'Pause', 'rate', 'promptScale', 'router', 'seed']) expect(stops).toContain(wanted)
    expect(stops.length).toBeLessThan(60)
    // The arrow keys move a slider, and the run follows.
    await page.getByLabel('Arrival rate', { exact: true }).focus()
    await page.keyboard.press('ArrowRight')
    await page
      .locator('.log')
      .getByText(/^rate 8 to/)
      .waitFor()
    await page.close()
  })

  it('paints within a second, and before the engine is loaded', async () => {
    const { page } = await openPage(browser, address)
    const paints: number[] = []
    for (let tries = 0; tries < 3; tries += 1) {
      await page.reload()
      await page.locator('.kpi').first().waitFor()
      // The entry of a paint comes after what was painted can be found.
      const paint = await page.waitForFunction(
        () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
      )
      paints.push((await paint.jsonValue()) ?? Number.NaN)
    }
    expect(Math.min(...paints)).toBeLessThan(1000)
    await page.close()
  })

  for (const [asked, told] of [
    ['live?preset=demo-chats', /There is no preset "demo-chats"; known: .*demo-chat/],
    ['live?preset=demo-chat&seed=many', /seed=many: expected a whole number/],
    ['live?preset=demo-chat&speed=-3', /speed=-3: expected a number above 0/],
    ['live?scenario=torn', /scenario in this address.*cut off/],
    ['explore?model=gpt-9&batch=1e15', /not known here: model=gpt-9, batch=1e15/],
    ['calculators?calc=ringAllreduces', /ring-allreduce/],
    ['nowhere', /There is no view “nowhere”/],
  ] as const)
    it(`says what is wrong with the address #/${asked}`, async () => {
      const { page, faults } = await openPage(browser, `${address}#/${asked}`)
      await page.getByRole('alert').first().waitFor()
      expect(await page.getByRole('alert').first().innerText()).toMatch(told)
      expect(faults).toEqual([])
      await page.close()
    })

  it('says so when no replica is left, and when a trace holds nothing', async () => {
    const { page, faults } = await openPage(browser, `${address}#/live?preset=overload&speed=10`)
    await page.getByText('arriving now').waitFor()
    await page.getByRole('button', { name: /^Kill the busiest/ }).click()
    await page.locator('.verdict', { hasText: 'No replica is up' }).waitFor()
    await page.getByRole('button', { name: /^Add one/ }).click()
    await page.locator('.verdict', { hasText: 'No replica is up' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Traces' }).click()
    await page.getByLabel('Trace file').setInputFiles({
      name: 'none.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('TIMESTAMP,ContextTokens,GeneratedTokens\n'),
    })
    await page.getByRole('alert').filter({ hasText: 'It holds no requests' }).waitFor()
    // The run goes on while other views are looked at.
    const before = page.url()
    await page.getByRole('link', { name: 'Live', exact: true }).click()
    await page.locator('.tile.down').waitFor()
    expect(page.url()).not.toBe(before)
    expect(faults).toEqual([])
    await page.close()
  })

  it('brings back a text that a preset took the place of', async () => {
    const { page } = await openPage(browser, `${address}#/scenario`)
    const editor = page.getByLabel('Scenario, YAML or JSON')
    await editor.fill('version: 1 # mine')
    await page.getByLabel('Begin with').selectOption('overload')
    await page.getByText('Ready to run').waitFor()
    await page.getByRole('button', { name: 'Bring back my text' }).click()
    expect(await editor.inputValue()).toBe('version: 1 # mine')
    await page.close()
  })

  it('keeps a chosen theme', async () => {
    const { page } = await openPage(browser, `${address}#/explore`)
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Use the light theme' }).waitFor()
    await page.close()
  })
})

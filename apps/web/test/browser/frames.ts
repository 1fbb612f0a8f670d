// Measures how smoothly the live view draws twelve charts on a Chromium that renders in software:
// node --conditions=@windtunnel/source apps/web/test/browser/frames.ts [--tries 5] [--seconds 10]
import { cpus } from 'node:os'
import type { Browser, CDPSession } from 'playwright-core'
import { startChromium } from './chromium.ts'
import { buildPage, startServer } from './server.ts'

interface Frames {
  frames: number
  medianMilliseconds: number
  p95Milliseconds: number
  framesPerSecond: number
  /** Tasks of more than 50 ms on the main thread. */
  longTasks: number
  charts: number
}

const option = (name: string, otherwise: number): number => {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

/** Runs in the page: the times between animation frames, and long tasks. */
const record = (seconds: number): Promise<Frames> =>
  new Promise((resolve) => {
    const at: number[] = []
    let longTasks = 0
    const observer = new PerformanceObserver((list) => {
      longTasks += list.getEntries().length
    })
    observer.observe({ type: 'longtask' })
    const end = performance.now() + seconds * 1000
    const tick = (now: number) => {
      at.push(now)
      if (now < end) requestAnimationFrame(tick)
      else {
        const gaps = at.slice(1).map((time, index) => time - (at[index] ?? time))
        gaps.sort((a, b) => a - b)
        resolve({
          frames: gaps.length,
          medianMilliseconds: gaps[gaps.length >> 1] ?? 0,
          p95Milliseconds: gaps[Math.floor(gaps.length * 0.95)] ?? 0,
          framesPerSecond: (gaps.length * 1000) / ((at.at(-1) ?? 0) - (at[0] ?? 0)),
          longTasks,
          charts: document.querySelectorAll('.canvas canvas').length,
        })
      }
    }
    requestAnimationFrame(tick)
  })

/** Seconds that the main thread of a page has worked since its start, by what for. */
const work = async (session: CDPSession): Promise<Record<string, number>> => {
  const { metrics } = await session.send('Performance.getMetrics')
  return Object.fromEntries(metrics.map(({ name, value }) => [name, value]))
}

const once = async (browser: Browser, url: string, seconds: number): Promise<Measured> => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1400 } })
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  await page.goto(url)
  await page.getByText('arriving now').waitFor()
  const more = page.getByRole('button', { name: /more charts/i })
  if ((await more.count()) > 0) await more.click()
  // Until the charts hold what they can: 600 frames.
  await page.waitForTimeout(8000)
  const before = await work(session)
  const found = await page.evaluate(record, seconds)
  const after = await work(session)
  await page.close()
  const share = (name: string): number => ((after[name] ?? 0) - (before[name] ?? 0)) / seconds
  return {
    ...found,
    busy: share('TaskDuration'),
    script: share('ScriptDuration'),
    layout: share('LayoutDuration') + share('RecalcStyleDuration'),
  }
}

/** Shares of the time that the main thread was busy: in all, with scripts, and with styles and layout. */
interface Measured extends Frames {
  busy: number
  script: number
  layout: number
}

const tries = option('tries', 5)
const seconds = option('seconds', 10)
await buildPage()
const browser = await startChromium()
const server = await startServer(0, 'demo-chat')
try {
  console.log(`Chromium ${browser.version()}, software rendering, ${cpus().length} x ${cpus()[0]?.model ?? 'unknown'}`)
  for (let index = 0; index < tries; index += 1) {
    const { charts, ...found } = await once(browser, server.url, seconds)
    const percent = (share: number): string => `${Math.round(share * 100)} %`
    console.log(
      `${charts} charts: ${found.framesPerSecond.toFixed(1)} frames/s, median ${found.medianMilliseconds.toFixed(1)} ms, p95 ${found.p95Milliseconds.toFixed(1)} ms, ${found.longTasks} tasks over 50 ms in ${seconds} s; main thread busy ${percent(found.busy)} (scripts ${percent(found.script)}, layout ${percent(found.layout)})`,
    )
  }
} finally {
  await browser.close()
  await server.stop()
}

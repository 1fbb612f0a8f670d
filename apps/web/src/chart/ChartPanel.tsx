import 'uplot/dist/uPlot.min.css'
import { useEffect, useId, useRef } from 'react'
import { useSession } from '../live/context.ts'
import type { LiveState } from '../live/session.ts'
import { drawSoon, forgetDrawing } from './drawQueue.ts'
import { type Limit, LiveChart, type LiveChartSpec, type LiveSeries, type Mark } from './liveChart.ts'

export interface ChartPanelProps {
  title: string
  series: readonly LiveSeries[]
  /** The unit for the heading, given the top of the axis. */
  unit: (top: number) => string
  tick: (value: number, top: number) => string
  read: (value: number | null | undefined, top: number) => string
  leastTop: number
  fixedTop?: number
  limit?: (state: LiveState) => Limit | undefined
  marks: (state: LiveState) => readonly Mark[]
}

const keyed = (one: LiveSeries): boolean => one.unkeyed !== true

const write = (element: Element | null | undefined, words: string): void => {
  if (element && element.textContent !== words) element.textContent = words
}

/** A live chart with its heading; the figures below it follow the cursor, else they are the latest. */
export const ChartPanel = (props: ChartPanelProps) => {
  const session = useSession()
  const canvas = useRef<HTMLDivElement>(null)
  const unit = useRef<HTMLSpanElement>(null)
  const readings = useRef<HTMLDivElement>(null)
  const headingId = useId()
  const { title, series } = props
  // The properties of a live chart do not change while it lives.
  const fixed = useRef(props)

  useEffect(() => {
    const element = canvas.current
    if (element === null) return
    const { series, unit: unitOf, tick, read, leastTop, fixedTop, limit, marks } = fixed.current
    const history = session.history
    const spec: LiveChartSpec = {
      series,
      tick,
      leastTop,
      ...(fixedTop === undefined ? {} : { fixedTop }),
      onRead: (index, top) => {
        const at = index ?? history.length - 1
        write(unit.current, unitOf(top))
        const figures = readings.current?.querySelectorAll('b') ?? []
        for (const [place, one] of series.filter(keyed).entries())
          write(figures[place], read(history.columns[one.column][at], top))
      },
    }
    const chart = new LiveChart(element, spec, history, 'live')
    let drawn: { version: number; limit: Limit | undefined; marks: readonly Mark[] } | undefined
    let inView = true
    const draw = () => {
      const [limitNow, marksNow] = [limit?.(session.state), marks(session.state)]
      drawn = { version: history.version, limit: limitNow, marks: marksNow }
      chart.draw(limitNow, marksNow)
    }
    /** Only what has changed, and only where it is seen. */
    const renew = () => {
      if (!inView) return
      const { state } = session
      const same = drawn?.version === history.version && drawn.marks === marks(state)
      if (!same || drawn?.limit?.text !== limit?.(state)?.text) drawSoon(draw)
    }
    draw()
    const stop = session.subscribe(renew)
    const watcher = new IntersectionObserver((entries) => {
      inView = entries.at(-1)?.isIntersecting ?? true
      renew()
    })
    watcher.observe(element)
    return () => {
      stop()
      watcher.disconnect()
      forgetDrawing(draw)
      chart.destroy()
    }
  }, [session])

  return (
    <section className="panel chart" aria-labelledby={headingId}>
      <h2 id={headingId}>
        <b>{title}</b>
        <span ref={unit} className="unit" />
      </h2>
      <div className="keys" ref={readings}>
        {series.filter(keyed).map((one) => (
          <span key={one.column}>
            <i style={{ background: `var(--${one.colour})` }} />
            {one.label} <b />
          </span>
        ))}
      </div>
      <div ref={canvas} className="canvas" role="img" aria-labelledby={headingId} />
    </section>
  )
}

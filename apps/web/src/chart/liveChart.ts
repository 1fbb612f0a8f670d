import uPlot from 'uplot'
import type { Column, History } from '../live/history.ts'
import { onThemeChange } from '../shell/theme.ts'
import { type ColourName, colour } from './colour.ts'
import { CalmTop, gridlines } from './scale.ts'
import { timeSplits, timeText } from './timeAxis.ts'

export interface LiveSeries {
  column: Column
  label: string
  colour: ColourName
  /** Fills the area under the line. */
  filled?: boolean
  dashed?: boolean
  /** Left out of the key, for want of room: the heading names it. */
  unkeyed?: boolean
}

/** A moment to mark, in virtual seconds. */
export interface Mark {
  time: number
  text: string
}

/** A promise, to be drawn across the chart. */
export interface Limit {
  value: number
  text: string
}

export interface LiveChartSpec {
  series: readonly LiveSeries[]
  /** Shows an axis value; gets the top of the axis, which decides the unit. */
  tick: (value: number, top: number) => string
  /** Fixed top of the axis, where there is one: 1 for shares. */
  fixedTop?: number
  leastTop: number
  /** Told which point to read out: the one under the cursor, else the last. */
  onRead: (index: number | undefined, top: number) => void
}

const shortestSpanSeconds = 60
/** Rows for the words of marks, from the top; a mark that fits in none keeps its line alone. */
const markRows = [0, 1, 2]
const markRowHeight = 12
const font = '10px ui-sans-serif, system-ui, sans-serif'

/** A chart of the live history on a canvas. It lives outside React: `draw` is called once per animation frame at most. */
export class LiveChart {
  private readonly plot: uPlot
  private readonly spec: LiveChartSpec
  private readonly history: History
  private readonly top: CalmTop
  private readonly stops: (() => void)[] = []
  private range: [number, number] = [0, shortestSpanSeconds]
  private topNow: number
  private limit: Limit | undefined
  private marks: readonly Mark[] = []

  constructor(element: HTMLElement, spec: LiveChartSpec, history: History, syncKey: string) {
    this.spec = spec
    this.history = history
    this.top = new CalmTop(spec.leastTop)
    this.topNow = spec.fixedTop ?? spec.leastTop
    this.plot = new uPlot(this.options(element, syncKey), this.columns(), element)
    const observer = new ResizeObserver(() => {
      this.plot.setSize({ width: element.clientWidth, height: element.clientHeight })
    })
    observer.observe(element)
    this.stops.push(() => observer.disconnect())
    this.stops.push(onThemeChange(() => this.plot.redraw(false, true)))
  }

  draw(limit: Limit | undefined, marks: readonly Mark[]): void {
    this.limit = limit
    this.marks = marks
    const last = this.history.lastTime()
    const span = Math.max(shortestSpanSeconds, last - this.history.firstTime())
    this.range = [last - span, last]
    this.topNow = this.spec.fixedTop ?? this.top.follow(Math.max(this.highest(), limit?.value ?? 0))
    this.plot.setData(this.columns(), true)
    this.spec.onRead(this.plot.cursor.idx ?? undefined, this.topNow)
  }

  destroy(): void {
    for (const stop of this.stops) stop()
    this.plot.destroy()
  }

  private columns(): uPlot.AlignedData {
    const { columns } = this.history
    return [columns.time, ...this.spec.series.map((series) => columns[series.column])] as uPlot.AlignedData
  }

  private highest(): number {
    let highest = this.spec.leastTop * 0.9
    for (const series of this.spec.series) {
      for (const value of this.history.columns[series.column]) if (value !== null && value > highest) highest = value
    }
    return highest
  }

  private options(element: HTMLElement, syncKey: string): uPlot.Options {
    const axis = { font, stroke: () => colour('faint'), ticks: { show: false } }
    return {
      width: element.clientWidth,
      height: element.clientHeight,
      padding: [8, 10, 0, 0],
      legend: { show: false },
      cursor: { sync: { key: syncKey }, y: false, points: { size: 5 }, drag: { x: false, y: false } },
      scales: { x: { time: false, range: () => this.range }, y: { range: () => [0, this.topNow] } },
      axes: [
        {
          ...axis,
          size: 18,
          gap: 3,
          grid: { show: false },
          splits: () => timeSplits(this.range[0], this.range[1]),
          values: (_plot, splits) => splits.map((split) => timeText(split - this.range[1])),
        },
        {
          ...axis,
          size: 36,
          gap: 5,
          grid: { stroke: () => colour('line'), width: 1 },
          splits: () => gridlines(this.topNow),
          values: (_plot, splits) => splits.map((split) => this.spec.tick(split, this.topNow)),
        },
      ],
      series: [{}, ...this.spec.series.map((series) => this.seriesOptions(series))],
      hooks: {
        draw: [(plot) => this.annotate(plot)],
        setCursor: [(plot) => this.spec.onRead(plot.cursor.idx ?? undefined, this.topNow)],
      },
    }
  }

  private seriesOptions(series: LiveSeries): uPlot.Series {
    return {
      label: series.label,
      stroke: () => colour(series.colour),
      width: 1.6,
      points: { show: false },
      ...(series.dashed === true ? { dash: [4, 3] } : {}),
      ...(series.filled === true ? { fill: () => colour(series.colour, 0.18) } : {}),
    }
  }

  /** Draws the objective line and the marks of what was changed. */
  private annotate(plot: uPlot): void {
    const { ctx } = plot
    ctx.save()
    ctx.lineWidth = devicePixelRatio
    ctx.font = `${9.5 * devicePixelRatio}px ui-sans-serif, system-ui, sans-serif`
    ctx.textBaseline = 'top'
    ctx.textAlign = 'left'
    const shown = this.marks.filter((mark) => mark.time >= this.range[0] && mark.time <= this.range[1])
    // From the right, so that the latest change is named in full; an earlier one goes to the first row with room for it.
    const freeUntil = markRows.map(() => plot.bbox.left + plot.bbox.width)
    for (const [index, mark] of [...shown.entries()].reverse()) {
      this.drawMarkLine(plot, mark)
      // Of changes of the same kind in a row only the last is named, so that many of them leave the curves to be seen.
      if (shown[index + 1]?.text.split(' ')[0] !== mark.text.split(' ')[0]) this.nameMark(plot, mark, freeUntil)
    }
    if (this.limit !== undefined) this.drawLimit(plot, this.limit)
    ctx.restore()
  }

  private drawMarkLine(plot: uPlot, mark: Mark): void {
    const { ctx, bbox } = plot
    const ratio = devicePixelRatio
    const x = Math.round(plot.valToPos(mark.time, 'x', true)) + 0.5
    ctx.strokeStyle = colour('faint', 0.75)
    ctx.setLineDash([2 * ratio, 3 * ratio])
    ctx.beginPath()
    ctx.moveTo(x, bbox.top)
    ctx.lineTo(x, bbox.top + bbox.height)
    ctx.stroke()
  }

  /** The words of a mark, in the first row that has room for them left of what stands there. */
  private nameMark(plot: uPlot, mark: Mark, freeUntil: number[]): void {
    const { ctx, bbox } = plot
    const ratio = devicePixelRatio
    const x = Math.round(plot.valToPos(mark.time, 'x', true)) + 0.5
    const width = ctx.measureText(mark.text).width
    for (const row of markRows) {
      const free = freeUntil[row] ?? 0
      const left = Math.min(x + 3 * ratio, free - width)
      // Words may reach back over their own line, but not so far that they seem to belong to another.
      if (left < Math.max(bbox.left, x - width)) continue
      this.write(plot, mark.text, left, bbox.top + row * markRowHeight * ratio, colour('dim'))
      freeUntil[row] = left - 6 * ratio
      return
    }
  }

  /** Words with a halo, which keeps them legible without hiding the curves between and around them. */
  private write({ ctx }: uPlot, words: string, left: number, top: number, ink: string): void {
    ctx.setLineDash([])
    ctx.lineJoin = 'round'
    ctx.lineWidth = 3 * devicePixelRatio
    ctx.strokeStyle = colour('panel', 0.8)
    ctx.strokeText(words, left, top)
    ctx.lineWidth = devicePixelRatio
    ctx.fillStyle = ink
    ctx.fillText(words, left, top)
  }

  private drawLimit(plot: uPlot, limit: Limit): void {
    const { ctx, bbox } = plot
    const y = Math.round(plot.valToPos(limit.value, 'y', true)) + 0.5
    ctx.strokeStyle = colour('bad')
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio])
    ctx.beginPath()
    ctx.moveTo(bbox.left, y)
    ctx.lineTo(bbox.left + bbox.width, y)
    ctx.stroke()
    const below = y - bbox.top < 13 * devicePixelRatio
    const top = below ? y + 3 * devicePixelRatio : y - 12 * devicePixelRatio
    this.write(plot, limit.text, bbox.left + 2 * devicePixelRatio, top, colour('bad'))
  }
}
